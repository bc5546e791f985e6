"""Where the boxes and arrows of the picture lie."""

from hashlib import sha256

from manifests import arrows, levels

WIDTH, MARGIN, GAP, BETWEEN_ROWS = 900, 6, 14, 56
CHANNEL = 10  # the width of an arrow that passes a row between its boxes
WIDEST = 180
PORTS = 18  # between arrows at a side of a box
NEARLY = 6  # what leads less far sideways leads straight down
STARTS = 16  # orders from which the best one is looked for


def spread(wanted, apart, low, high):
    """Places as near to the wanted ones as can be, in order, `apart[n]` between n and n + 1, from
    `low` to `high`: the mean of those that would be too near each other."""
    shift = [sum(apart[:n]) for n in range(len(wanted))]
    groups = []
    for place, by in zip(wanted, shift):
        groups.append([place - by, 1])
        while len(groups) > 1 and groups[-2][0] > groups[-1][0]:
            mean, n = groups.pop()
            before = groups[-1]
            before[0] = (before[0] * before[1] + mean * n) / (before[1] + n)
            before[1] += n
    means = [mean for mean, n in groups for _ in range(n)]
    high -= sum(apart[:len(wanted) - 1])
    return [max(low, min(high, mean)) + by for mean, by in zip(means, shift)]


class Plan:
    """Rows of boxes, and of the channels by which arrows pass a row."""

    def __init__(self, crates):
        self.crates = crates
        self.level = levels(crates)
        self.chains = []  # of each arrow the crates and channels that it joins, from above
        n_rows = 1 + max(self.level.values())
        self.rows = [[name for name in crates if self.level[name] == n] for n in range(n_rows)]
        for user, used in arrows(crates):
            between = [(user, used, n) for n in range(self.level[user] - 1, self.level[used], -1)]
            for channel in between:
                self.rows[channel[2]].append(channel)
            self.chains.append([user, *between, used])
        self.joints = [pair for chain in self.chains for pair in zip(chain, chain[1:])]
        self.near = {}
        for above, below in self.joints:
            self.near.setdefault(above, []).append(below)
            self.near.setdefault(below, []).append(above)
        room = [
            (WIDTH - 2 * MARGIN - (len(row) - 1) * GAP - CHANNEL * sum(map(is_channel, row)))
            / max(1, sum(not is_channel(one) for one in row))
            for row in self.rows
        ]
        self.box = min(WIDEST, *room)
        best = min((self.order(start), start) for start in range(STARTS))
        self.order(best[1])
        self.x = self.centres()
        self.sides = self.stretched()

    def width(self, one):
        return CHANNEL if is_channel(one) else self.box

    def row_of(self, one):
        return one[2] if is_channel(one) else self.level[one]

    def crossings(self):
        place = {one: n for row in self.rows for n, one in enumerate(row)}
        ends = {}
        for above, below in self.joints:
            ends.setdefault(self.row_of(below), []).append((place[above], place[below]))
        return sum(
            (a[0] - b[0]) * (a[1] - b[1]) < 0
            for pairs in ends.values()
            for n, a in enumerate(pairs)
            for b in pairs[:n]
        )

    def cost(self, best):
        """Crossings, and then how far arrows lead sideways."""
        crossings = self.crossings()
        if crossings > best[0]:
            return crossings, 0.0
        x = self.centres()
        return crossings, round(sum(abs(x[a] - x[b]) for a, b in self.joints), 3)

    def order(self, start):
        """Shuffles the rows, the same for the same start, and moves what stands in them to wherever the
        arrows become better, until none does; returns the cost."""
        for row in self.rows:
            row.sort(key=lambda one: sha256(f"{start} {one}".encode()).digest())
        best = self.cost((10**6, 0.0))
        improved = True
        while improved:
            improved = False
            for row in self.rows:
                for one, to in [(one, to) for one in list(row) for to in range(len(row))]:
                    before = list(row)
                    row.remove(one)
                    row.insert(to, one)
                    cost = self.cost(best)
                    if cost < best:
                        best, improved = cost, True
                    else:
                        row[:] = before
        return best

    def centres(self):
        """Where the middle of each box and channel lies."""
        x = {}
        for row in self.rows:
            step = WIDTH / len(row)
            x.update({one: (n + 0.5) * step for n, one in enumerate(row)})
        for _ in range(6):
            for rows in (self.rows, self.rows[::-1]):
                for row in rows:
                    near = [[x[other] for other in self.near.get(one, [one])] for one in row]
                    half = [self.width(one) / 2 for one in row]
                    apart = [a + b + GAP for a, b in zip(half, half[1:])]
                    wanted = [sum(places) / len(places) for places in near]
                    low, high = MARGIN + half[0], WIDTH - MARGIN - half[-1]
                    x.update(zip(row, spread(wanted, apart, low, high)))
        return x

    def stretched(self):
        """Left and right of each box: a box reaches as far as its arrows, where there is room."""
        sides = {one: [self.x[one] - self.width(one) / 2, self.x[one] + self.width(one) / 2] for one in self.x}
        for row in self.rows:
            for n, one in enumerate(row):
                if is_channel(one) or one not in self.near:
                    continue
                low = sides[row[n - 1]][1] + GAP if n > 0 else MARGIN
                high = sides[row[n + 1]][0] - GAP if n + 1 < len(row) else WIDTH - MARGIN
                beyond = {other: 2 * CHANNEL if is_channel(other) else 0 for other in self.near[one]}
                left = min(sides[other][0] - by for other, by in beyond.items())
                right = max(sides[other][1] + by for other, by in beyond.items())
                sides[one] = [max(low, min(left, sides[one][0])), min(high, max(right, sides[one][1]))]
        return sides

    def ports(self):
        """Where each joint leaves the box above and reaches the one below."""
        above = {joint: self.x[joint[0]] for joint in self.joints}
        below = {joint: self.x[joint[1]] for joint in self.joints}
        for _ in range(40):
            for here, there, end in ((above, below, 0), (below, above, 1)):
                for one in self.x:
                    mine = [joint for joint in self.joints if joint[end] == one]
                    mine.sort(key=lambda joint: (there[joint], self.x[joint[1 - end]]))
                    if is_channel(one) or not mine:
                        here.update({joint: self.x[one] for joint in mine})
                        continue
                    left, right = self.sides[one]
                    inset = 18 if right - left > 1.2 * self.box else self.box / 5
                    apart = min(PORTS, (right - left - 2 * inset) / max(1, len(mine) - 1))
                    wanted = [there[joint] for joint in mine]
                    here.update(zip(mine, spread(wanted, [apart] * (len(mine) - 1), left + inset, right - inset)))
        for joint in self.joints:
            if abs(above[joint] - below[joint]) < NEARLY:
                end = above if is_channel(joint[0]) else below
                above[joint] = below[joint] = end[joint]
        return {joint: (above[joint], below[joint]) for joint in self.joints}


def is_channel(one):
    return isinstance(one, tuple)
