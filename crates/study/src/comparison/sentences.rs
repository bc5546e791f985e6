//! What a study found, in sentences.

use vortice_core::format::{duration, percent, significant};

use super::convergence::{NoLimit, Order};
use super::findings::{Agreement, Findings};
use super::row::Row;

/// Errors that times are told for: the smallest one that all variants reach.
const ERRORS: [f64; 10] = [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1];

/// More things of a kind than these are counted.
const LISTED: usize = 4;

impl Findings {
    /// What people ask first: how long each variant takes for an accuracy that all reach, how far they agree, what has no
    /// limit, and what failed.
    pub fn sentences(&self) -> Vec<String> {
        let one = [self.time_for_accuracy(), self.agreement(), self.without_limit()];
        let mut sentences: Vec<String> = one.into_iter().flatten().collect();
        sentences.extend(self.failures());
        let warned = self.rows.iter().filter(|row| !row.warnings.is_empty()).count();
        if warned > 0 {
            let runs =
                if warned == 1 { "One run has".into() } else { format!("{warned} runs have") };
            sentences.push(format!("{runs} a warning, below the table of costs."));
        }
        sentences
    }

    fn time_for_accuracy(&self) -> Option<String> {
        let yardstick = Yardstick::of(self)?;
        let variants: Vec<&str> = self.study.variants.iter().map(|one| &*one.name).collect();
        let judged = |name: &&str| self.rows_of(name).any(|row| yardstick.error(row).is_some());
        let judged: Vec<&str> = variants.into_iter().filter(judged).collect();
        let reached = |name, most| self.reached(name, most, |row| yardstick.error(row));
        let by_all = |error: &&f64| judged.iter().all(|name| reached(name, **error).is_some());
        let error = *ERRORS.iter().find(by_all).unwrap_or(&ERRORS[ERRORS.len() - 1]);
        let mut fast: Vec<&Row> = judged.iter().filter_map(|name| reached(name, error)).collect();
        fast.sort_by(|a, b| a.expense.wall_seconds.total_cmp(&b.expense.wall_seconds));
        let told = |row: &&Row| {
            let seconds = duration(row.expense.wall_seconds);
            format!("{} {seconds} on {}", row.variant, row.cells_words())
        };
        let mut told: Vec<String> = fast.iter().map(told).collect();
        let slow = judged.iter().filter(|name| fast.iter().all(|row| row.variant != **name));
        told.extend(slow.map(|name| format!("{name} on none of these grids")));
        (!told.is_empty()).then(|| {
            let error = significant(100.0 * error);
            format!("To {error} % of {}: {}.", yardstick.words(), told.join(", "))
        })
    }

    fn agreement(&self) -> Option<String> {
        if self.study.variants.len() < 2 || self.study.grids.len() < 2 || self.limits.is_empty() {
            return None;
        }
        let spread: Vec<&Agreement> =
            self.agreements.iter().filter(|one| one.spread.is_some()).collect();
        // Orders that were seen say more than those taken for granted.
        let seen: Vec<&Agreement> =
            spread.iter().copied().filter(|one| self.has_seen_orders(one)).collect();
        let all = if seen.is_empty() { spread } else { seen };
        let farthest = |of: fn(&Agreement) -> Option<f64>| {
            let known = all.iter().filter_map(|one| Some((of(one)?, &*one.value)));
            known.filter(|(x, _)| x.is_finite()).max_by(|a, b| a.0.total_cmp(&b.0))
        };
        let Some((apart, value)) = farthest(|one| one.spread) else {
            return Some("No value has a limit by more than one method.".into());
        };
        let who = match all.iter().map(|one| one.variants).min() {
            Some(n) if n == self.study.variants.len() => format!("All {n}"),
            _ => "Those that have a limit".into(),
        };
        let values = match all.len() {
            1 => value.to_owned(),
            n => format!("{n} values, {value} the farthest apart"),
        };
        let published = farthest(|one| one.error).map_or(String::new(), |(error, value)| {
            format!(", and with what is published within {} ({value})", percent(error))
        });
        let apart = percent(apart);
        Some(format!("{who} agree on what they converge to within {apart} ({values}){published}."))
    }

    /// Whether the limits of a value come from orders that three grids have shown.
    fn has_seen_orders(&self, agreement: &Agreement) -> bool {
        let of_value = self.limits.iter().filter(|limit| limit.value == agreement.value);
        let mut found = of_value.filter_map(|limit| limit.convergence);
        found.all(|one| one.from == Order::Observed)
    }

    fn without_limit(&self) -> Option<String> {
        let by = |value: &str| -> Vec<String> {
            let of_value = self.limits.iter().filter(|limit| limit.value == value);
            let coarse = of_value.filter(|one| one.no_limit == Some(NoLimit::NotAsymptotic));
            coarse.map(|limit| limit.variant.clone()).collect()
        };
        let told = self.agreements.iter().filter_map(|one| {
            let by = by(&one.value);
            (!by.is_empty()).then(|| format!("{} by {}", one.value, list(&by)))
        });
        let told: Vec<String> = told.collect();
        let words = "Not in the asymptotic range, and so without a limit";
        (!told.is_empty()).then(|| format!("{words}: {}.", told.join("; ")))
    }

    /// A sentence for each variant and way to fail, with the variants of the same method that did not.
    fn failures(&self) -> Vec<String> {
        let mut failed: Vec<(&str, &'static str, Vec<&Row>)> = Vec::new();
        for row in self.rows.iter().filter(|row| !row.is_done()) {
            let word = row.ended.word();
            match failed
                .iter_mut()
                .find(|(variant, how, _)| *variant == row.variant && *how == word)
            {
                Some((_, _, rows)) => rows.push(row),
                None => failed.push((&row.variant, word, vec![row])),
            }
        }
        let sentence = |(variant, word, rows): &(&str, &str, Vec<&Row>)| {
            let grids: Vec<String> = rows.iter().map(|row| row.grid_words()).collect();
            let same = self.study.variants.iter().filter(|other| {
                other.method.name == rows[0].method
                    && rows.iter().all(|row| {
                        self.rows_of(&other.name).any(|one| one.grid == row.grid && one.is_done())
                    })
            });
            let same: Vec<String> = same.map(|other| other.name.clone()).collect();
            let but =
                if same.is_empty() { String::new() } else { format!("; {} did not", list(&same)) };
            format!("{variant} {word} on {}{but}.", list(&grids))
        };
        failed.iter().map(sentence).collect()
    }
}

/// `a, b and c`; of many the first few and how many there are besides.
fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        many if many.len() > LISTED => {
            format!("{} and {} more", many[..LISTED].join(", "), many.len() - LISTED)
        }
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

/// What errors of runs are measured by.
enum Yardstick<'a> {
    /// A number that is published.
    Published { value: &'a str, reference: &'a str, is: f64 },
    /// A table or an exact flow as a whole.
    Reference(&'a str),
}

impl<'a> Yardstick<'a> {
    /// The first number that is published, else the first reference; nothing where there is neither.
    fn of(findings: &'a Findings) -> Option<Self> {
        let published = findings.agreements.iter().find_map(|one| {
            let (reference, is) = one.published.as_ref().filter(|(_, x)| *x != 0.0)?;
            Some(Self::Published { value: &one.value, reference, is: *is })
        });
        let first = || findings.rows.iter().find_map(|row| row.deviations.first());
        published.or_else(|| first().map(|one| Self::Reference(&one.reference)))
    }

    /// The error of a run that came to its goal, as a share.
    fn error(&self, row: &Row) -> Option<f64> {
        let error = match self {
            Self::Published { value, is, .. } => ((row.value(value)? - is) / is).abs(),
            Self::Reference(name) => {
                row.deviations.iter().find(|one| one.reference == *name)?.max_error
            }
        };
        (row.is_done() && error.is_finite()).then_some(error)
    }

    fn words(&self) -> String {
        match self {
            Self::Published { value, reference, .. } => format!("{value} ({reference})"),
            Self::Reference(name) => format!("{name}, by the largest error"),
        }
    }
}
