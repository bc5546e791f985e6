//! What to say when a name is not known.

/// The remedy for an unknown name: the most similar known one, and the list of all.
pub fn suggest(what: &str, name: &str, known: &[&str]) -> String {
    match did_you_mean(name, known) {
        Some(question) => format!("{question} Known {what}s: {}", list(known)),
        None => format!("known {what}s: {}", list(known)),
    }
}

/// "did you mean `cavity`?", if a known name is alike enough to be meant.
pub(crate) fn did_you_mean<N: AsRef<str>>(name: &str, known: &[N]) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}

/// "`cavity`, `couette`".
pub(crate) fn list<N: AsRef<str>>(known: &[N]) -> String {
    known.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The known name that needs the fewest changed letters: one, and one more for every four of it, at most.
fn nearest<'a, N: AsRef<str>>(name: &str, known: &'a [N]) -> Option<&'a str> {
    let name: String = name.to_lowercase().replace('_', "-").chars().take(64).collect();
    let known = known.iter().map(AsRef::as_ref);
    let near = known.map(|known| (strsim::damerau_levenshtein(&name, known), known));
    let (distance, known) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + known.len() / 4).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_names_are_suggested_and_unlikely_ones_are_not() {
        let known = ["cavity", "couette", "poiseuille"];
        assert_eq!(nearest("cavty", &known), Some("cavity"));
        assert_eq!(nearest("Poisseuille", &known), Some("poiseuille"));
        assert_eq!(nearest("xyz", &known), None);
        assert_eq!(nearest("anything", &[] as &[&str]), None);
    }
}
