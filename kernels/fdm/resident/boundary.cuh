// Boundary values on a tile, from its own lists; eqs. (F11), (F12) of docs/src/theory/fdm.md.
// Places are those of tile.cuh: natural order for velocities and predictions, split order for
// cells. Components: 0 is u and F, 1 is v and G.
#pragma once
#include "fdm/resident/cells.cuh"

// A prescribed value, of velocity and prediction; mirrored in crates/fdm/src/resident/lists.rs.
struct TileFixed {
    int target, component;
    Real value;  // m/s
};

// target = add + sign (first + second) / 2; mirrored in crates/fdm/src/resident/lists.rs.
struct TileGhost {
    int target, first, second, component;
    Real sign, add;
};

// A face through which the flow leaves; mirrored in crates/fdm/src/resident/lists.rs.
struct TileOutlet {
    int face, inner;  // natural places
    int cell;         // split place of the last cell before it; negative if not in the tile
    int component;
    int64 memory;   // place in the padded field if this tile writes it, else negative
    Real pressure;  // m2/s2, at the face
    Real gradient;  // 1/m, twice the inverse spacing, outward
    Real load;      // 1/s2, prescribed pressure over half the squared spacing
    Real unused;
};

// The lists of one tile: fixed values, outlets, ghosts in levels that depend on the ones before.
struct Lists {
    const TileFixed *fixed, *fixed_end;
    const TileOutlet *outlets, *outlets_end;
    const TileGhost* ghosts;
    const int* levels;  // where each level begins, and the last ends
    int n_levels;
};

// `starts`: for all tiles where the fixed values begin, the outlets, then the ghosts of each level.
INLINE Lists lists_of(int levels, const int* starts, const TileFixed* fixed, const TileGhost* ghosts,
                      const TileOutlet* outlets) {
    const int tile = blockIdx.x, tiles = gridDim.x;
    const int* const of_outlets = starts + tiles + 1;
    const int* const of_ghosts = of_outlets + tiles + 1;
    return {fixed + starts[tile],
            fixed + starts[tile + 1],
            outlets + of_outlets[tile],
            outlets + of_outlets[tile + 1],
            ghosts,
            of_ghosts + tile * levels,
            levels};
}

// Prescribed values and ghosts of the velocity; ends with a barrier.
INLINE void complete(const Lists& lists, Real* u, Real* v) {
    const Worker me = worker();
    for (const TileFixed* at = lists.fixed + me.thread; at < lists.fixed_end; at += blockDim.x) {
        (__ldg(&at->component) ? v : u)[__ldg(&at->target)] = __ldg(&at->value);
    }
    __syncthreads();
    for (int level = 0; level < lists.n_levels; ++level) {
        const int end = __ldg(lists.levels + level + 1);
        for (int n = __ldg(lists.levels + level) + me.thread; n < end; n += blockDim.x) {
            const TileGhost& at = lists.ghosts[n];
            Real* const field = __ldg(&at.component) ? v : u;
            field[__ldg(&at.target)] = mirrored(field[__ldg(&at.first)], field[__ldg(&at.second)],
                                                __ldg(&at.sign), __ldg(&at.add), Real(0.5));
        }
        __syncthreads();
    }
}

// Prescribed values and outlets of the prediction.
INLINE void predict_boundary(const Lists& lists, Real* f, Real* g) {
    const Worker me = worker();
    for (const TileFixed* at = lists.fixed + me.thread; at < lists.fixed_end; at += blockDim.x) {
        (__ldg(&at->component) ? g : f)[__ldg(&at->target)] = __ldg(&at->value);
    }
    for (const TileOutlet* at = lists.outlets + me.thread; at < lists.outlets_end; at += blockDim.x) {
        Real* const field = at->component ? g : f;
        field[at->face] = field[at->inner];
    }
}

// Prescribed pressures, moved to the right-hand side.
INLINE void subtract_prescribed(const Lists& lists, Real* b) {
    const Worker me = worker();
    for (const TileOutlet* at = lists.outlets + me.thread; at < lists.outlets_end; at += blockDim.x) {
        if (at->cell >= 0 && at->load != Real(0)) b[at->cell] = b[at->cell] - at->load;
    }
}

// Velocities at the outlets, corrected by the pressure drop over half a cell.
INLINE void project_outlets_tile(const Lists& lists, const Real* f, const Real* g, const Real* p,
                                 Real dt, Real* u, Real* v, Real* u_new, Real* v_new, bool roomy) {
    const Worker me = worker();
    for (const TileOutlet* at = lists.outlets + me.thread; at < lists.outlets_end; at += blockDim.x) {
        if (at->memory < 0) continue;
        const Real before = (at->component ? g : f)[at->face];
        const Real value = released(before, p[at->cell], at->pressure, at->gradient, dt);
        (at->component ? v_new : u_new)[at->memory] = value;
        if (roomy) (at->component ? v : u)[at->face] = value;
    }
}
