"""Two streams of two temperatures meet in a junction: steady flow and heat on staggered cells, central differences, by linearised
convection until nothing changes. Prints cells across a channel, iterations, the mean Nusselt number of the floor, and the mixed
temperature of what leaves. Needs numpy and scipy. The table mixing-t-junction-re40-nusselt is extrapolated from

    python3 benches/junction.py 24 48 96
"""
import sys
import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

# Widths of the channel: its length, and where the branch of one width begins; both are one high.
LENGTH, BRANCH = 8, 2
NU, PRANDTL = 1 / 40, 0.7


def junction(n):
    """With n cells across a channel."""
    nx, ny, h, alpha = LENGTH * n, 2 * n, 1 / n, NU / PRANDTL
    fluid = np.zeros((nx + 2, ny + 2), bool)  # with a layer of cells around the box
    fluid[1:-1, 1 : n + 1] = True
    fluid[BRANCH * n + 1 : (BRANCH + 1) * n + 1, 1:-1] = True
    # Means of the parabola over the faces of cells, of a mean of one.
    edges = np.arange(n + 1) * h
    parabola = np.diff(3 * edges**2 - 2 * edges**3) / h

    # Velocity u[i, j] at the low face of cell (i, j) along x, v along y; numbers of unknowns, -1 where there is none.
    number = lambda there, first: np.where(there, first + np.cumsum(there).reshape(there.shape) - 1, -1)
    is_u, is_v = np.zeros_like(fluid), np.zeros_like(fluid)
    is_u[1:] = fluid[1:] & fluid[:-1]
    is_v[:, 1:] = fluid[:, 1:] & fluid[:, :-1]
    is_u[nx + 1, 1 : n + 1] = True  # the outlet
    nu_ = is_u.sum()
    nv_ = is_v.sum()
    U, V, P = number(is_u, 0), number(is_v, nu_), number(fluid, nu_ + nv_)
    count = nu_ + nv_ + fluid.sum()
    u, v = np.zeros(fluid.shape), np.zeros(fluid.shape)
    u[1, 1 : n + 1] = parabola
    v[BRANCH * n + 1 : (BRANCH + 1) * n + 1, ny + 1] = -parabola

    def momentum(mine, value, at, step, through, rows):
        """Adds convection and diffusion of the unknowns `mine` at places `at`: flow `through` the face towards `step`."""
        i, j = at
        other = mine[i + step[0], j + step[1]]
        given = value[i + step[0], j + step[1]]
        along = mine is U and step[1] == 0 or mine is V and step[0] == 0
        # A wall across lies half a cell away: the value behind it is the reverse.
        wall = (other < 0) & (not along)
        known = (other < 0) & along
        inside = other >= 0
        me = mine[i, j]
        sign = step[0] + step[1]
        carry, spread = sign * through / (2 * h), NU / h**2
        add, right = rows
        add(me, me, np.where(wall, 2 * spread, carry + spread))
        add(me[inside], other[inside], (carry - spread)[inside])
        np.add.at(right, me[known], (-(carry - spread) * given)[known])

    for iteration in range(1, 100):
        entries, right = [], np.zeros(count)
        add = lambda row, column, x: entries.append((row, column, np.broadcast_to(x, row.shape)))
        rows = (add, right)
        i, j = np.nonzero(is_u)
        inner = i <= nx
        i, j = i[inner], j[inner]
        momentum(U, u, (i, j), (1, 0), (u[i, j] + u[i + 1, j]) / 2, rows)
        momentum(U, u, (i, j), (-1, 0), (u[i, j] + u[i - 1, j]) / 2, rows)
        momentum(U, u, (i, j), (0, 1), (v[i, j + 1] + v[i - 1, j + 1]) / 2, rows)
        momentum(U, u, (i, j), (0, -1), (v[i, j] + v[i - 1, j]) / 2, rows)
        add(U[i, j], P[i, j], 1 / h)
        add(U[i, j], P[i - 1, j], -1 / h)
        outlet = U[nx + 1, 1 : n + 1]
        add(outlet, outlet, 1.0)
        add(outlet, U[nx, 1 : n + 1], -1.0)
        i, j = np.nonzero(is_v)
        momentum(V, v, (i, j), (0, 1), (v[i, j] + v[i, j + 1]) / 2, rows)
        momentum(V, v, (i, j), (0, -1), (v[i, j] + v[i, j - 1]) / 2, rows)
        # Beyond the outlet nothing changes along x: v is that of the last cells.
        east = (u[i + 1, j] + u[i + 1, j - 1]) / 2
        last = i == nx
        pick = lambda x, some: (x[0][some], x[1][some])
        momentum(V, v, pick((i, j), ~last), (1, 0), east[~last], rows)
        add(V[i, j][last], V[i, j][last], east[last] / h)
        momentum(V, v, (i, j), (-1, 0), (u[i, j] + u[i, j - 1]) / 2, rows)
        add(V[i, j], P[i, j], 1 / h)
        add(V[i, j], P[i, j - 1], -1 / h)
        i, j = np.nonzero(fluid)
        cell = P[i, j]
        pinned = cell == P[nx, 1]
        for faces, values, di, dj, sign in ((U, u, 1, 0, 1), (U, u, 0, 0, -1), (V, v, 0, 1, 1), (V, v, 0, 0, -1)):
            face, value = faces[i + di, j + dj], values[i + di, j + dj]
            some = (face >= 0) & ~pinned
            add(cell[some], face[some], sign / h)
            known = (face < 0) & ~pinned
            np.add.at(right, cell[known], -sign * value[known] / h)
        add(cell[pinned], cell[pinned], 1.0)
        row, column, x = (np.concatenate(part) for part in zip(*entries))
        solution = splu(sparse.csc_matrix((x, (row, column)), (count, count))).solve(right)
        before = u[is_u].copy()
        u[is_u], v[is_v] = solution[U[is_u]], solution[V[is_v]]
        if np.abs(u[is_u] - before).max() < 1e-10:
            break

    # Temperature: 0 enters by the channel and is held at its floor, 1 enters by the branch.
    T = number(fluid, 0)
    count, entries, right = fluid.sum(), [], np.zeros(fluid.sum())
    add = lambda row, column, x: entries.append((row, column, np.broadcast_to(x, row.shape)))
    i, j = np.nonzero(fluid)
    me = T[i, j]
    for di, dj, flow in ((1, 0, u[i + 1, j]), (-1, 0, -u[i, j]), (0, 1, v[i, j + 1]), (0, -1, -v[i, j])):
        other = T[i + di, j + dj]
        some = other >= 0
        add(me[some], me[some], (flow / (2 * h) + alpha / h**2)[some])
        add(me[some], other[some], (flow / (2 * h) - alpha / h**2)[some])
        leaves = ~some & (i == nx) & (di == 1)
        add(me[leaves], me[leaves], (flow / h)[leaves])
        branch = ~some & (j == ny) & (dj == 1)
        cold = ~some & ((i == 1) & (di == -1) | (j == 1) & (dj == -1))
        for given, value in ((branch, 1.0), (cold, 0.0)):
            add(me[given], me[given], 2 * alpha / h**2)
            np.add.at(right, me[given], 2 * alpha / h**2 * value - (flow[given] / h) * value)
    row, column, x = (np.concatenate(part) for part in zip(*entries))
    t = np.zeros(fluid.shape)
    t[fluid] = splu(sparse.csc_matrix((x, (row, column)), (count, count))).solve(right)
    floor = -2 * t[1:-1, 1] / h
    mixed = (u[nx + 1, 1 : n + 1] * t[nx, 1 : n + 1]).sum() * h / 2
    print(n, iteration, f"{floor.mean():.6f} {mixed:.6f}", flush=True)
    return np.array([floor.mean(), mixed])


numbers = [junction(int(n)) for n in sys.argv[1:]]
for one, two in zip(numbers, numbers[1:]):
    print("extrapolated", two + (two - one) / 3)
