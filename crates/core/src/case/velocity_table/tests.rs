use super::*;

#[test]
fn a_table_is_read_with_its_comments_in_any_order_of_columns() {
    let text = "\u{feff}# a pulse\n\n v , t,u\r\n# s and m/s\n0.5, 0, 1\n\n-0.5,2.5e0,3\n";
    let rows = Rows::parse(text).expect("a table");
    assert_eq!(rows.times, [0.0, 2.5]);
    assert_eq!(rows.components, [vec![1.0, 3.0], vec![0.5, -0.5], vec![]]);
    assert_eq!(rows.ends_otherwise(), Some("u"));
}

#[test]
fn what_is_no_table_is_refused_with_its_line() {
    for (text, line, problem, remedy) in [
        ("", None, "it is empty", "t,u,v,w"),
        ("# t,u\n", None, "it is empty", "t,u,v,w"),
        ("0,1\n1,2\n", Some(1), "there is no column `0`", "t,u,v,w"),
        ("# units\ntime,u\n", Some(2), "there is no column `time`", "time in s"),
        ("t;u\n0;1\n", Some(1), "there is no column `t;u`", "t,u,v,w"),
        ("t,u,u\n", Some(1), "column `u` stands there twice", "t,u,v"),
        ("u,v\n0,1\n", Some(1), "there is no column `t`", "t,u"),
        ("t\n0\n1\n", Some(1), "there is no column of a velocity", "t,u"),
        ("t,u\n", None, "it has no rows", "two rows"),
        ("t,u\n0,1\n", None, "it has one row", "two rows"),
        ("t,u\n0,1\n1\n", Some(3), "1 numbers for 2 columns", "each column"),
        ("t,u\n0,1\n1,2,3\n", Some(3), "3 numbers for 2 columns", "between commas"),
        ("t,u\n0,1\n\n1,two\n", Some(4), "u is `two`, which is no finite number", "1e-3"),
        ("t,u\n0,1\n1,\n", Some(3), "u is ``, which is no finite number", "1e-3"),
        ("t,u\n0,nan\n", Some(2), "u is `nan`, which is no finite number", "numbers"),
        ("t,u\n0,1\ninf,1\n", Some(3), "t is `inf`, which is no finite number", "numbers"),
        ("t,u\n0,1\n2,1\n1,1\n", Some(4), "1 s is not later than 2 s of the row before", "order"),
        ("t,u\n0,1\n0,2\n", Some(3), "0 s is not later than 0 s of the row before", "once"),
    ] {
        let wrong = Rows::parse(text).expect_err(text);
        assert_eq!((wrong.line, &*wrong.problem), (line, problem), "{text:?}");
        assert!(wrong.remedy.contains(remedy), "{text:?}: {}", wrong.remedy);
    }
}
