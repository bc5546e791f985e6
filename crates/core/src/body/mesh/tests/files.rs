use super::*;

const TEXT: &str = "solid part one\r\n  facet normal 0 0 0\r\n outer loop\r\nVERTEX 0 0 0\r\nvertex 0.0e+00 1 0\r\n\
    vertex 1 0 0\r\nendloop\r\nendfacet\r\nendsolid part one\r\nsolid\nfacet normal 0 0 -1\nouter loop\nvertex 0 0 0\n\
    vertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\n\
    vertex 0 1 0\nendloop\nendfacet\nfacet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1.0E0 0\nvertex 0 0 1\n\
    endloop\nendfacet\nendsolid\n";

fn wrong(bytes: &[u8]) -> String {
    let [problem, remedy] = Mesh::new(bytes, AS_IT_IS, None).expect_err("wrong");
    assert!(!remedy.is_empty());
    problem
}

#[test]
fn text_of_several_solids_is_read_like_a_binary_file() {
    let mesh = Mesh::new(TEXT.as_bytes(), AS_IT_IS, None).expect("a tetrahedron");
    assert!((mesh.facts().volume - 1.0 / 6.0).abs() < 1e-15);
    assert_eq!(mesh.facts().triangles, 4);
    // A binary file may begin as a text does.
    let mut bytes = file(&cube([0.0; 3]));
    bytes[..5].copy_from_slice(b"solid");
    assert_eq!(Mesh::new(&bytes, AS_IT_IS, None).expect("a cube").facts().triangles, 12);
}

#[test]
fn a_surface_turned_inwards_is_turned_and_corners_are_welded() {
    let inwards: Vec<Corners> = cube([0.0; 3]).into_iter().map(|[a, b, c]| [a, c, b]).collect();
    let mesh = of(&inwards, AS_IT_IS);
    assert!(mesh.facts().notes[0].contains("inwards") && (mesh.facts().volume - 1.0).abs() < 1e-15);
    let mut loose = cube([0.0; 3]);
    for (n, corners) in loose.iter_mut().enumerate() {
        corners[0][0] += 1e-7 * (n % 3) as f64;
    }
    let mesh = of(&loose, AS_IT_IS);
    assert!(mesh.facts().notes[0].contains("corners lie beside others"), "{:?}", mesh.facts());
    // Two cubes that share an edge enclose what they should.
    let mesh = of(&[cube([0.0; 3]), cube([1.0, 1.0, 0.0])].concat(), AS_IT_IS);
    assert!(mesh.facts().notes[0].contains("shared by four"), "{:?}", mesh.facts());
    assert!(mesh.distance([0.5; 3]) < 0.0 && mesh.distance([1.5, 0.5, 0.5]) > 0.0);
    // A triangle without area, in a seam.
    let mut seam = cube([0.0; 3]);
    let [a, b, c] = seam[0];
    let middle: [f64; 3] = std::array::from_fn(|d| 0.5 * (a[d] + b[d]));
    seam[0] = [a, middle, c];
    seam.extend([[middle, b, c], [a, b, middle]]);
    let mesh = of(&seam, AS_IT_IS);
    assert!(
        mesh.facts().notes[0].contains("1 of its triangles have no area"),
        "{:?}",
        mesh.facts()
    );
    assert_eq!(mesh.distance([0.5; 3]), -0.5);
    covered(&mesh, &Grid::uniform([10; 3], [2.0; 3], [-0.5; 3]));
}

#[test]
fn a_hash_tells_files_and_places_apart() {
    let mesh = of(&cube([0.0; 3]), AS_IT_IS);
    assert_eq!(mesh, of(&cube([0.0; 3]), AS_IT_IS));
    assert_ne!(mesh, of(&cube([0.0, 0.0, 1e-3]), AS_IT_IS));
    let turned = Placement { rotate: [0.0, 0.0, 90.0], ..AS_IT_IS };
    let key = of(&cube([0.0; 3]), turned).facts().as_key();
    assert!(key.contains("rotate = [0.0, 0.0, 90.0]") && key != mesh.facts().as_key(), "{key}");
}

#[test]
fn wrong_files_are_refused_with_one_message_each() {
    let good = file(&cube([0.0; 3]));
    let mut many = good.clone();
    many[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    many[0] = 0xff;
    let mut no_number = cube([0.0; 3]);
    no_number[3][1][2] = f64::NAN;
    let open = &cube([0.0; 3])[1..];
    let mut mixed = cube([0.0; 3]);
    mixed[4].swap(0, 1);
    let twice = [cube([0.0; 3]), cube([0.0; 3])[..1].to_vec()].concat();
    let flat = [
        [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    ];
    let begins = [b"solid", &good[5..634]].concat();
    let in_four = TEXT.replacen("vertex 1 0 0\r\n", "vertex 1 0 0\r\nvertex 1 1 0\r\n", 1);
    let cases: [(&[u8], &str); 16] = [
        (b"", "is empty"),
        (b"v 0 0 0\nv 1 0 0\n", "is no STL file"),
        (&[b'x'; 200], "is no STL file"),
        (&good[..600], "12 triangles, 684 bytes, and has 600 bytes: it is cut off"),
        (&good[..60], "is no STL file"),
        (&many, "4294967295 triangles, 214748364834 bytes, and has 684 bytes"),
        (&begins, "12 triangles, 684 bytes, and has 634"),
        (b"solid a\nendsolid a\n", "has no triangle"),
        (&file(&[]), "has no triangle"),
        (&TEXT.as_bytes()[..200], "is cut off"),
        (in_four.as_bytes(), "facet of 4 corners, and not three, in line 9"),
        (&file(&no_number), "a corner of triangle 4 that is no finite number"),
        (&file(open), "is open, with one triangle along an edge: 3 edges"),
        (&file(&mixed), "turned different ways: 3 edges"),
        (&file(&twice), "more than two triangles that do not close it: 3 edges"),
        (&file(&flat), "encloses no volume"),
    ];
    for (bytes, problem) in cases {
        let said = wrong(bytes);
        assert!(said.contains(problem), "{problem}: {said}");
    }
    let said = wrong(TEXT.replace("0 1.0E0 0", "0 1,0 0").as_bytes());
    assert!(said.contains("vertex without its three numbers, in line 28"), "{said}");
    let said = wrong(TEXT.replace("1.0E0", "inf").as_bytes());
    assert!(said.contains("no finite number"), "{said}");
}
