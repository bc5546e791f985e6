// The entries of the lists of boundary values, eqs. (F11) and (F12) of docs/src/theory/fdm.md: twins of
// those in crates/fdm/src/boundary/entries.rs. Places are those of a padded field, components 0 to 2
// stand for u, v, w and F, G, H.
#pragma once
#include "device.cuh"

// A face with a prescribed velocity.
struct Fixed {
    int64 target;
    int component, unused;
    Real value;  // m/s
    Real filler;
};

// target = add + sign (first + second) / 2. Entries that read or write what others write have one
// number as `group`, follow each other, and are done by one thread in their order.
struct Ghost {
    int64 target, first, second;
    uint32 group;
    int component;
    Real sign, add;
};

// A face through which the flow leaves, and the next face inside.
struct Outlet {
    int64 face, inner;
    int64 cell;  // the last cell before it: at place cell / 2 of the colour cell % 2
    int component, unused;
    Real pressure;  // m2/s2, at the face
    Real gradient;  // 1/m, twice the inverse spacing, outward
};

// A velocity at a convective outlet, and the one next to it inside; eqs. (F20), (F21).
struct Carried {
    int64 target, inner;
    int component;
    int counts;  // 1 for a face of an own cell, whose flux counts, else 0
};

// A face beside a body: target = constant + sum of weight value over `count` entries from `first` on, less
// its share of what leaks into the body; eqs. (F17), (F19).
struct ForcedFace {
    int64 target;
    uint32 first, count;
    int component, body;
    Real outward;   // 1 where a positive velocity leaves the flow, -1 where it enters, 0 in the body
    Real constant;  // m/s
};

// A face whose velocity others are made of.
struct Source {
    int64 place;
    int component, unused;
};

// One of three.
template <class Field>
INLINE Field component_of(int component, Field u, Field v, Field w) {
    return component == 0 ? u : component == 1 ? v : w;
}
