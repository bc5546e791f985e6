//! Structures that exist twice: in a `.cuh` and in Rust.

use crate::c_text::{plain, words};

/// Makes a structure that is passed to kernels by value, twin of one in a `.cuh`.
///
/// The structure is `#[repr(C)]` and plain bytes, has no padding (or does not compile), and knows
/// its `FIELDS` for [`differences`](crate::differences). Its fields are as visible as itself. A
/// type parameter must be called `T`; it is `Real` in C.
///
/// ```
/// vortice_gpu::mirrored! {
///     /// How far and how often.
///     pub struct Sweep<T> {
///         /// One weight per direction.
///         weights: [T; 3],
///         /// Cells per direction, and how many in all.
///         n: [i32; 4],
///     }
/// }
/// let header = "struct Sweep { Real weights[3]; int n[4]; };";
/// assert!(vortice_gpu::differences(header, "Sweep", Sweep::<f64>::FIELDS).is_empty());
/// ```
#[macro_export]
macro_rules! mirrored {
    (
        $(#[$about:meta])* $visible:vis struct $name:ident<$t:ident> {
            $($(#[$field_about:meta])* $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        $visible struct $name<$t> {
            $($(#[$field_about])* $visible $field: $type,)*
        }

        impl<$t> $name<$t> {
            /// Name and type of each field, for the comparison with the header.
            #[allow(dead_code)]
            $visible const FIELDS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($field), stringify!($type)),)*];
        }

        // SAFETY: all fields are plain bytes, which may be zero.
        #[allow(unsafe_code)]
        unsafe impl<$t: $crate::Real> $crate::bytemuck::Zeroable for $name<$t> {}
        // SAFETY: all fields are plain bytes in the order of C; the assertions below show for both
        // number types that there is nothing between them.
        #[allow(unsafe_code)]
        unsafe impl<$t: $crate::Real> $crate::bytemuck::Pod for $name<$t> {}

        const _: () = {
            type $t = f32;
            $($crate::assert_plain::<$type>();)*
            assert!(
                size_of::<$name<$t>>() == 0 $(+ size_of::<$type>())*,
                "with f32 there is padding between the fields"
            );
        };
        const _: () = {
            type $t = f64;
            assert!(
                size_of::<$name<$t>>() == 0 $(+ size_of::<$type>())*,
                "with f64 there is padding between the fields"
            );
        };
    };
    (
        $(#[$about:meta])* $visible:vis struct $name:ident {
            $($(#[$field_about:meta])* $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        $visible struct $name {
            $($(#[$field_about])* $visible $field: $type,)*
        }

        impl $name {
            /// Name and type of each field, for the comparison with the header.
            #[allow(dead_code)]
            $visible const FIELDS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($field), stringify!($type)),)*];
        }

        // SAFETY: all fields are plain bytes, which may be zero.
        #[allow(unsafe_code)]
        unsafe impl $crate::bytemuck::Zeroable for $name {}
        // SAFETY: all fields are plain bytes in the order of C; the assertion below shows that
        // there is nothing between them.
        #[allow(unsafe_code)]
        unsafe impl $crate::bytemuck::Pod for $name {}

        const _: () = {
            $($crate::assert_plain::<$type>();)*
            assert!(
                size_of::<$name>() == 0 $(+ size_of::<$type>())*,
                "there is padding between the fields"
            );
        };
    };
}

/// Compiles only for plain bytes.
#[doc(hidden)]
pub const fn assert_plain<T: bytemuck::Pod>() {}

/// How the structure `name` of a header differs from the fields of its Rust twin; empty if the two
/// agree in names, order and types.
pub fn differences(header: &str, name: &str, fields: &[(&str, &str)]) -> Vec<String> {
    let Some(theirs) = fields_of(header, name) else {
        return vec![format!("the header has no `struct {name}`")];
    };
    let ours: Vec<_> = fields.iter().map(|(field, kind)| (*field, spelling(kind))).collect();
    let mut found = Vec::new();
    if theirs.len() != ours.len() {
        let (there, here) = (theirs.len(), ours.len());
        found.push(format!("{name}: {there} fields in the header, {here} in Rust"));
    }
    for ((there, c), (here, rust)) in theirs.iter().zip(&ours) {
        if there != here || c != rust {
            found.push(format!("{name}: `{there}: {c}` in the header, `{here}: {rust}` in Rust"));
        }
    }
    found
}

/// A Rust type without blanks and type parameters.
fn spelling(kind: &str) -> String {
    let plain: String = kind.chars().filter(|c| !c.is_whitespace()).collect();
    plain.replace("<T>", "")
}

/// Names and Rust types of the fields of a C structure.
fn fields_of(header: &str, name: &str) -> Option<Vec<(String, String)>> {
    let header = plain(header);
    let body = header.split("struct").skip(1).find_map(|after| {
        let after = after.trim_start().strip_prefix(name)?.trim_start().strip_prefix('{')?;
        after.split_once('}').map(|(body, _)| body)
    })?;
    Some(body.split(';').flat_map(declared).collect())
}

/// The fields of one declaration, such as `Real x[3], y`.
fn declared(declaration: &str) -> Vec<(String, String)> {
    let mut kind = String::new();
    let mut fields = Vec::new();
    for (place, declarator) in declaration.split(',').enumerate() {
        let (before, lengths) = declarator.split_once('[').unwrap_or((declarator, ""));
        let mut before = words(before);
        let Some(field) = before.pop() else { continue };
        if place == 0 {
            kind = rust_name(&before.join(" "));
        }
        let lengths = words(lengths);
        let full = lengths.iter().rev().fold(kind.clone(), |kind, n| format!("[{kind};{n}]"));
        fields.push((field.to_owned(), full));
    }
    fields
}

fn rust_name(kind: &str) -> String {
    match kind {
        "Real" => "T",
        "float" => "f32",
        "double" => "f64",
        "int" => "i32",
        "unsigned" | "unsigned int" | "uint32" => "u32",
        "int64" | "long long" => "i64",
        "uint64" | "unsigned long long" => "u64",
        "unsigned char" | "uchar" => "u8",
        other => other,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    mirrored! {
        /// All spellings.
        pub(crate) struct Sweep<T> {
            weights: [T; 3],
            omega: T,
            n: [i32; 3],
            colour: u32,
            row: i64,
            table: [[f64; 2]; 3],
        }
    }
    mirrored! {
        struct Plain { n: i32, x: f32 }
    }

    const HEADER: &str = "struct Sweeper { int n; };\nstruct Sweep { // comment; with { signs }
        Real weights[3], omega;\n int n[3]; uint32 colour;\n int64 row;\n double table[3][2];\n};";

    #[test]
    fn twins_agree() {
        assert_eq!(differences(HEADER, "Sweep", Sweep::<f32>::FIELDS), [""; 0]);
        assert_eq!(differences("struct Plain{int n;float x;};", "Plain", Plain::FIELDS), [""; 0]);
    }

    #[test]
    fn every_difference_is_named() {
        let swapped = HEADER.replace("int64 row;", "int row;").replace("[3][2]", "[2][3]");
        let found = differences(&swapped, "Sweep", Sweep::<f32>::FIELDS);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("row: i32") && found[0].contains("row: i64"));
        let shorter = HEADER.replace("int64 row;", "");
        assert!(differences(&shorter, "Sweep", Sweep::<f32>::FIELDS)[0].contains("5 fields"));
        assert_eq!(differences(HEADER, "Missing", &[]).len(), 1);
    }

    #[test]
    fn the_bytes_are_those_of_the_fields() {
        let sweep = Sweep::<f32> {
            weights: [1.0; 3],
            omega: 2.0,
            n: [1, 2, 3],
            colour: 4,
            row: 5,
            table: [[0.0; 2]; 3],
        };
        assert_eq!(bytemuck::bytes_of(&sweep).len(), 4 * 4 + 4 * 4 + 8 + 48);
        assert_eq!(bytemuck::bytes_of(&Plain { n: 1, x: 0.0 })[..4], 1i32.to_ne_bytes());
    }
}
