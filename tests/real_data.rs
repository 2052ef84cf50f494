//! Real sheets, where they are at hand.

use crate::support::{TestEnvironment, real_data};

/// The share of moves right on some pages of a set; `None` where the set is absent.
fn share_right(set: &str, pages: &[&str], truth: impl Fn(&str) -> Vec<String>) -> Option<f64> {
    let folder = real_data(set)?;
    let environment = TestEnvironment::new();
    let (mut right, mut total) = (0, 0);
    for page in pages {
        let image = folder.join(format!("pages/{page}.jpg"));
        let run = environment.run([
            "read".as_ref(),
            image.as_os_str(),
            "--format".as_ref(),
            "json".as_ref(),
        ]);
        assert_eq!(run.status, 0, "{page}: {run:?}");
        let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let truth = truth(page);
        let moves = document["moves"].as_array().unwrap();
        let strip = |san: &str| san.replace(['+', '#'], "");
        right += truth
            .iter()
            .zip(moves)
            .filter(|(truth, record)| {
                record["san"]
                    .as_str()
                    .is_some_and(|san| strip(san) == strip(truth))
            })
            .count();
        total += truth.len();
    }
    println!("{set}: {right} of {total} moves right");
    Some(right as f64 / total as f64)
}

#[test]
fn real_scans_give_their_games() {
    let games = |page: &str| {
        let folder = real_data("epfl").unwrap();
        let text = std::fs::read_to_string(folder.join(format!("games/{page}.txt"))).unwrap();
        text.split_whitespace().map(str::to_owned).collect()
    };
    if let Some(share) = share_right("epfl", &["game05", "game06"], games) {
        assert!(share >= 0.9, "{share}");
    }
}

#[test]
fn a_result_ringed_or_ticked_on_a_real_sheet_is_read() {
    let Some(folder) = real_data("wild") else {
        return;
    };
    let environment = TestEnvironment::new();
    // What is marked on the sheet, and the result that the game then has; these games end without mate.
    for (name, marked) in [
        ("english_2x20.jpg", Some("0-1")),
        ("english_2x40.jpg", Some("1/2-1/2")),
        ("spanish_3x25.jpg", Some("1/2-1/2")),
        ("french_3x20.jpg", None),
        ("german_1924_2x30.gif", None),
    ] {
        let image = folder.join(name);
        let run = environment.run([
            "read".as_ref(),
            image.as_os_str(),
            "--format".as_ref(),
            "json".as_ref(),
        ]);
        let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let record = &document["sources"][0]["marked_result"];
        assert_eq!(record["result"].as_str(), marked, "{name}");
        if let Some(marked) = marked {
            assert_eq!(document["result"].as_str(), Some(marked), "{name}");
        }
    }
}
