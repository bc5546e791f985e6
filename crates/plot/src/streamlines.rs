//! Evenly spaced streamlines after Jobard and Lefer (1997): a line ends where it comes too near to
//! another, and new lines start beside those already drawn.

use std::collections::{HashMap, VecDeque};

use crate::plane::Plane;

/// A point of a line, in m.
pub(crate) type Point = [f64; 2];

/// How near a line may come to another, as a share of the distance that lines start at.
const NEAREST: f64 = 0.5;

/// Length of a step as a share of the distance between lines.
const STEP: f64 = 0.1;

/// Shortest line worth drawing, in distances between lines.
const SHORTEST: f64 = 1.2;

/// Slower than this share of the fastest is rest.
const REST: f64 = 1e-6;

/// The streamlines of a plane, `distance` (m) apart.
pub(crate) fn streamlines(plane: &Plane, distance: f64) -> Vec<Vec<Point>> {
    let mut drawing = Drawing {
        plane,
        distance,
        slowest: REST * plane.fastest(),
        points: HashMap::new(),
        lines: Vec::new(),
    };
    // Corners and eddies that no line leads to get lines from a lattice of starts.
    for start in lattice(plane, 2.0 * distance) {
        drawing.grow_from(start);
    }
    drawing.lines
}

fn lattice(plane: &Plane, distance: f64) -> Vec<Point> {
    let n = plane.size().map(|length| (length / distance).ceil().max(1.0) as usize);
    let at =
        |d: usize, i: usize| plane.axes[d].low() + (i as f64 + 0.5) / n[d] as f64 * plane.size()[d];
    (0..n[1])
        .flat_map(|j| (0..n[0]).map(move |i| (i, j)))
        .map(|(i, j)| [at(0, i), at(1, j)])
        .collect()
}

struct Drawing<'a> {
    plane: &'a Plane,
    distance: f64,
    slowest: f64,
    /// Points of lines by the square, `distance` wide, that they lie in: line, place on it, point.
    points: HashMap<[i64; 2], Vec<(usize, i64, Point)>>,
    lines: Vec<Vec<Point>>,
}

impl Drawing<'_> {
    /// Draws the line through a start, then lines beside it, and beside those.
    fn grow_from(&mut self, start: Point) {
        let first = self.lines.len();
        self.draw_through(start);
        let mut waiting: VecDeque<usize> = (first..self.lines.len()).collect();
        while let Some(line) = waiting.pop_front() {
            for start in self.beside(line) {
                let before = self.lines.len();
                self.draw_through(start);
                waiting.extend(before..self.lines.len());
            }
        }
    }

    /// Starts on both sides of a line.
    fn beside(&self, line: usize) -> Vec<Point> {
        let line = &self.lines[line];
        let every = (0.5 / STEP) as usize;
        let pairs = line.iter().zip(line.iter().skip(1)).step_by(every);
        pairs
            .flat_map(|(a, b)| {
                let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
                let length = dx.hypot(dy).max(f64::MIN_POSITIVE);
                let [x, y] = [-dy, dx].map(|d| d / length * self.distance * 1.001);
                [[a[0] + x, a[1] + y], [a[0] - x, a[1] - y]]
            })
            .collect()
    }

    /// Draws the line through a start if there is room for it.
    fn draw_through(&mut self, start: Point) {
        if self.direction(start).is_none() || !self.is_free(start, self.distance, None) {
            return;
        }
        let name = self.lines.len();
        self.keep(name, 0, start);
        let forward = self.follow(start, 1.0, name);
        let mut line = self.follow(start, -1.0, name);
        line.reverse();
        line.push(start);
        line.extend(forward);
        if line.len() as f64 * STEP >= SHORTEST {
            self.lines.push(line);
        } else {
            self.points.values_mut().for_each(|square| square.retain(|(line, ..)| *line != name));
        }
    }

    /// The points from a start on, with the flow (1) or against it (-1).
    fn follow(&mut self, start: Point, sense: f64, name: usize) -> Vec<Point> {
        let longest = (60.0 * self.plane.size().iter().sum::<f64>() / self.distance) as i64;
        let (mut line, mut here) = (Vec::new(), start);
        for place in 1..longest {
            let Some(next) = self.step(here, sense * STEP * self.distance) else { break };
            let place = place * sense as i64;
            if !self.is_free(next, NEAREST * self.distance, Some((name, place))) {
                break;
            }
            self.keep(name, place, next);
            line.push(next);
            here = next;
        }
        line
    }

    /// The point one step along the flow, by the classical Runge-Kutta rule.
    fn step(&self, from: Point, length: f64) -> Option<Point> {
        let along = |k: Point, share: f64| [from[0] + share * k[0], from[1] + share * k[1]];
        let k1 = self.direction(from)?;
        let k2 = self.direction(along(k1, 0.5 * length))?;
        let k3 = self.direction(along(k2, 0.5 * length))?;
        let k4 = self.direction(along(k3, length))?;
        let mean = [0, 1].map(|d| (k1[d] + 2.0 * (k2[d] + k3[d]) + k4[d]) / 6.0);
        let next = along(mean, length);
        self.direction(next).map(|_| next)
    }

    /// Direction of the flow in the plane; none outside, in solids and where it rests.
    fn direction(&self, point: Point) -> Option<Point> {
        let [u, v, _] = self.plane.velocity(point)?;
        let speed = u.hypot(v);
        (speed > self.slowest && speed.is_finite()).then(|| [u / speed, v / speed])
    }

    /// Whether no line is nearer than `distance`. A line's own points count once it has gone on
    /// far enough from them to come back.
    fn is_free(&self, point: Point, distance: f64, own: Option<(usize, i64)>) -> bool {
        let [x, y] = self.square(point);
        let squares = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| [x, y]));
        let away = (2.0 / STEP) as i64;
        !squares.filter_map(|square| self.points.get(&square)).flatten().any(|(line, place, p)| {
            let passed = own.is_some_and(|(name, now)| name == *line && (now - place).abs() < away);
            !passed && (p[0] - point[0]).hypot(p[1] - point[1]) < distance
        })
    }

    fn keep(&mut self, line: usize, place: i64, point: Point) {
        self.points.entry(self.square(point)).or_default().push((line, place, point));
    }

    fn square(&self, point: Point) -> [i64; 2] {
        point.map(|x| (x / self.distance).floor() as i64)
    }
}
