//! What ranks say to each other, over MPI and, the same tests, between threads. A test starts
//! itself again, on several ranks.
#![allow(clippy::print_stdout)] // tests print what they measure

use std::process::{Command, Output};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use vortice_core::{
    Communicator, Decomposition, Error, Field, Halo, Location, Message, Result, Shape, Threads,
    gather, scatter,
};

use crate::launch::Launch;
use crate::session::Session;

/// Set for the processes that `mpiexec` starts, to the number of them.
const INSIDE: &str = "VORTICE_MPI_TEST_RANKS";

/// One start at a time: there are more ranks than cores already.
static STARTS: Mutex<()> = Mutex::new(());

/// Messages are cut into pieces of this length, so that short ones are long.
const PIECE: usize = 1000;

/// Runs the test `name` on each number of ranks, as processes and as threads.
fn on_ranks(name: &str, sizes: &[usize], body: fn(&dyn Communicator)) {
    in_pieces(PIECE, name, sizes, body);
}

fn in_pieces(piece: usize, name: &str, sizes: &[usize], body: fn(&dyn Communicator)) {
    if inside(piece, body) {
        return;
    }
    for &size in sizes {
        start(name, size);
        let bodies = Threads::run(size, |ranks| {
            body(&ranks);
            Ok(())
        });
        bodies.unwrap();
    }
}

/// Plays the part of one rank, if this process is one.
fn inside(piece: usize, body: fn(&dyn Communicator)) -> bool {
    let Ok(size) = std::env::var(INSIDE) else { return false };
    let launch = Launch { rank: 0, size: size.parse().unwrap() };
    let session = Session::start(launch, piece).unwrap();
    body(&*session.ranks());
    assert_eq!(session.end(&Ok(0), |_, _| {}), 0);
    true
}

fn start(name: &str, size: usize) {
    let output = ended(name, size);
    let said = text(&output);
    assert!(output.status.success(), "{name} on {size} ranks:\n{said}");
    for line in said.lines().filter(|line| line.starts_with("  ")) {
        println!("{line}");
    }
}

/// Starts the test on several ranks and waits for their end.
fn ended(name: &str, size: usize) -> Output {
    let _one = STARTS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let size = size.to_string();
    let mpiexec = std::env::var("VORTICE_MPIEXEC").unwrap_or("mpiexec".into());
    // OpenMPI minds more processes than cores, and root; MPICH does not.
    let allowed =
        ["ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe"];
    let output = Command::new(mpiexec)
        .args(["-n", &size])
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            &format!("tests::{name}"),
            "--test-threads=1",
            "--nocapture",
            "--include-ignored",
        ])
        .env(INSIDE, &size)
        .envs(allowed.map(|name| (format!("OMPI_{name}"), "1")))
        .env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe")
        .output();
    output.expect("mpiexec is on the path; ./setup --tests installs it")
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).join("\n")
}

/// Sends each neighbour a message and receives one from it.
fn exchange(ranks: &dyn Communicator, send: [&[u8]; 2], receive: [&mut [u8]; 2]) -> Result<()> {
    let (rank, size) = (ranks.rank(), ranks.size());
    let peers = [(rank + size - 1) % size, (rank + 1) % size];
    let sides = send.into_iter().zip(receive).enumerate();
    let messages = sides.map(|(side, (send, receive))| Message {
        peer: peers[side],
        send_tag: side as u32,
        receive_tag: 1 - side as u32,
        send,
        receive,
    });
    ranks.exchange(&mut messages.collect::<Vec<_>>())
}

#[test]
fn verbs_of_all_ranks_agree() {
    on_ranks("verbs_of_all_ranks_agree", &[1, 2, 3, 5], |ranks| {
        let (rank, n) = (ranks.rank(), ranks.size());
        let mut largest = [-(rank as f64), if rank == n / 2 { f64::NAN } else { 1.0 }];
        ranks.max(&mut largest).unwrap();
        assert!(largest[0] == n as f64 - 1.0 || n == 1);
        assert!(largest[1].is_nan());
        assert_eq!(ranks.sum(rank as f64).unwrap(), (n * (n - 1) / 2) as f64);
        assert_eq!(ranks.sum_exact(1 << rank).unwrap(), (1 << n) - 1);
        for length in [0, 1, 700, 1000, 3456] {
            let share = |rank: usize| vec![rank as u8 + 7; length * rank];
            let all = ranks.all_gather(&share(rank)).unwrap();
            assert_eq!(all, (0..n).map(share).collect::<Vec<_>>());
            let mine = vec![rank as u8 + 3; length];
            assert_eq!(ranks.broadcast(mine).unwrap(), vec![3; length]);
        }
    });
}

#[test]
fn neighbours_exchange_messages_of_any_length() {
    on_ranks("neighbours_exchange_messages_of_any_length", &[1, 2, 3, 4], |ranks| {
        let word = |rank: usize, side: usize| (2 * rank + side) as u8;
        let [rank, n] = [ranks.rank(), ranks.size()];
        for length in [0, 1, 999, 1000, 1001, 5000, 100_000, 0] {
            let send = [0, 1].map(|side| vec![word(rank, side); length]);
            let mut receive = [vec![0; length], vec![0; length]];
            let [low, high] = &mut receive;
            exchange(ranks, [&send[0], &send[1]], [low, high]).unwrap();
            assert_eq!(receive[0], vec![word((rank + n - 1) % n, 1); length]);
            assert_eq!(receive[1], vec![word((rank + 1) % n, 0); length]);
        }
    });
}

#[test]
fn halos_and_whole_fields_travel() {
    on_ranks("halos_and_whole_fields_travel", &[1, 2, 3, 4], |ranks| {
        let shape = Shape { cells: [7, 6, 5], halo: [1, 1, 1] };
        let cut = Decomposition::choose(shape.cells, ranks.size(), [true; 3]).unwrap();
        let mut whole = Field::<f64>::zeros(Location::Centre, shape, 2);
        whole.values.iter_mut().enumerate().for_each(|(i, x)| *x = i as f64);
        let mut mine = scatter(&cut, ranks.rank(), &whole);
        assert_eq!(gather(ranks, &cut, &mine).unwrap(), (ranks.rank() == 0).then_some(whole));
        let part = cut.subdomain(ranks.rank());
        let number = |cell: [isize; 3]| {
            let wrapped = |d: usize| {
                (cell[d] + part.offset()[d] as isize).rem_euclid(shape.cells[d] as isize)
            };
            (wrapped(0) + 10 * (wrapped(1) + 10 * wrapped(2))) as f64
        };
        mine.own_cells().for_each(|cell| mine[cell] = number(cell));
        let own = Shape { cells: part.n(), halo: shape.halo };
        Halo::new(&own, &part).exchange(ranks, &mut [&mut mine.values[..own.len()]]).unwrap();
        for [i, j, k] in own
            .all(2)
            .flat_map(|k| own.all(1).flat_map(move |j| own.all(0).map(move |i| [i, j, k])))
        {
            assert_eq!(mine[[i, j, k]], number([i, j, k]), "rank {} {:?}", ranks.rank(), [i, j, k]);
        }
    });
}

/// What a rank may do while another fails.
fn waits_in(verb: usize, ranks: &dyn Communicator) -> Result<()> {
    let mut receive = [vec![0; 100], vec![0; 100]];
    let [low, high] = &mut receive;
    match verb {
        0 => exchange(ranks, [&[1; 100], &[2; 100]], [low, high]),
        1 => ranks.all_gather(&[3]).map(|_| ()),
        2 => ranks.max(&mut [1.0]),
        3 => ranks.broadcast(vec![5]).map(|_| ()),
        _ => ranks.agree(Ok(())),
    }
}

#[test]
fn a_rank_that_gives_up_stops_the_others_wherever_they_wait() {
    on_ranks("a_rank_that_gives_up_stops_the_others_wherever_they_wait", &[2, 4, 10], |ranks| {
        // A group breaks once; ten ranks are enough for every verb, before and after others failed.
        let [rank, n] = [ranks.rank(), ranks.size()];
        ranks.agree(Ok(())).unwrap();
        if rank == n - 1 {
            std::thread::sleep(Duration::from_millis(30));
            let cause = ranks.agree::<()>(Err(Error::case("a.key", "wrong", "mend it")));
            assert!(matches!(cause, Err(Error::Case { .. })));
        } else {
            let begin = Instant::now();
            let error = (0..).find_map(|_| waits_in(rank % 5, ranks).err()).expect("it stops");
            assert!(matches!(error, Error::OtherRank { rank } if rank == n - 1), "{error}");
            assert!(begin.elapsed() < Duration::from_secs(5));
            let nested = ranks.agree(ranks.agree::<()>(Err(error)));
            assert!(matches!(nested, Err(Error::OtherRank { .. })));
        }
        for verb in 0..5 {
            assert!(matches!(waits_in(verb, ranks), Err(Error::OtherRank { .. })));
        }
    });
}

#[test]
fn a_message_of_another_length_is_told() {
    on_ranks("a_message_of_another_length_is_told", &[3], |ranks| {
        let send = vec![0; if ranks.rank() == 2 { 1500 } else { 1200 }];
        let mut receive = [vec![0; 1200], vec![0; 1200]];
        let [low, high] = &mut receive;
        match ranks.agree(exchange(ranks, [&send, &send], [low, high])) {
            Err(Error::Ranks { problem, .. }) => {
                assert!(problem.contains("rank 2 sent"), "{problem}")
            }
            Err(Error::OtherRank { rank }) => assert!(rank <= 2),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn messages_are_fast() {
    in_pieces(crate::wire::PIECE, "messages_are_fast", &[2], |ranks| {
        // The line that names the test goes on otherwise.
        println!();
        for (length, times) in [(8, 20_000), (1 << 20, 200)] {
            let (send, mut receive) = (vec![1; length], vec![0; length]);
            let peer = 1 - ranks.rank();
            let mut once = || {
                let (send, receive) = (&send[..], &mut receive[..]);
                ranks.exchange(&mut [Message { peer, send_tag: 0, receive_tag: 0, send, receive }])
            };
            (0..times / 10).for_each(|_| once().unwrap());
            let begin = Instant::now();
            (0..times).for_each(|_| once().unwrap());
            let each = begin.elapsed().as_secs_f64() / f64::from(times) * 1e6;
            if ranks.rank() == 0 {
                println!("  an exchange of {length} bytes: {each:.2} us");
            }
        }
        let begin = Instant::now();
        (0..10_000).for_each(|_| ranks.max(&mut [1.0]).unwrap());
        if ranks.rank() == 0 {
            println!("  a maximum: {:.2} us", begin.elapsed().as_secs_f64() / 1e4 * 1e6);
        }
    });
}

#[test]
fn a_message_that_nobody_takes_does_not_hold_the_end() {
    let name = "a_message_that_nobody_takes_does_not_hold_the_end";
    if std::env::var(INSIDE).is_err() {
        let begin = Instant::now();
        let output = ended(name, 2);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(said.matches("told by rank").count(), 1, "{said}");
        assert!(said.contains("told by rank Some(1): a.key"), "{said}");
        assert!(begin.elapsed() < Duration::from_secs(10));
        return;
    }
    let session = Session::start(Launch { rank: 0, size: 2 }, crate::wire::PIECE).unwrap();
    let ranks = session.ranks();
    let outcome = if ranks.rank() == 1 {
        ranks.agree(Err(Error::case("a.key", "wrong", "mend it")))
    } else {
        // Longer than what MPI sends before it is asked for.
        let (send, mut receive) = (vec![0; 1 << 22], vec![0; 1 << 22]);
        let (send, receive) = (&send[..], &mut receive[..]);
        let sent = Message { peer: 1, send_tag: 0, receive_tag: 0, send, receive };
        ranks.exchange(&mut [sent]).map(|()| 0)
    };
    let code = session.end(&outcome, |error, rank| println!("told by rank {rank:?}: {error}"));
    #[allow(clippy::exit)] // the exit code is what is tested
    std::process::exit(code.into());
}

#[test]
#[ignore = "long suite"]
fn messages_longer_than_mpi_counts_arrive() {
    let name = "messages_longer_than_mpi_counts_arrive";
    in_pieces(crate::wire::PIECE, name, &[2], |ranks| {
        let length = (1 << 31) + 5;
        let mine = vec![7_u8; if ranks.rank() == 0 { length } else { 0 }];
        let mut theirs = vec![0_u8; length - mine.len()];
        let (send, receive) = (&mine[..], &mut theirs[..]);
        let peer = 1 - ranks.rank();
        ranks
            .exchange(&mut [Message { peer, send_tag: 0, receive_tag: 0, send, receive }])
            .unwrap();
        assert!(theirs.iter().all(|byte| *byte == 7));
    });
}
