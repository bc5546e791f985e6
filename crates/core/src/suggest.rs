//! What to say when a name is not known.

/// The remedy for an unknown name: the most similar known one, and the list of all.
pub fn suggest(what: &str, name: &str, known: &[&str]) -> String {
    let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match similar(name, known) {
        Some(similar) => format!("did you mean `{similar}`? Known {what}s: {list}"),
        None => format!("known {what}s: {list}"),
    }
}

/// The known name most like a name, if it is alike enough to be meant.
fn similar<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), other);
    let best = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.75).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_names_are_suggested_and_unlikely_ones_are_not() {
        let known = ["cavity", "couette", "poiseuille"];
        assert_eq!(similar("cavty", &known), Some("cavity"));
        assert_eq!(similar("Poisseuille", &known), Some("poiseuille"));
        assert_eq!(similar("xyz", &known), None);
        assert_eq!(similar("anything", &[]), None);
    }
}
