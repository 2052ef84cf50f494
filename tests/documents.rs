//! Real output against the JSON Schema.

use serde_json::Value;

use crate::samples::sample_documents;
use crate::schema::Schema;
use crate::support::repository;

fn schema() -> Schema {
    let path = repository().join("crates/pipeline/schema/scoresheet.game-1.json");
    Schema::new(&std::fs::read_to_string(path).unwrap())
}

#[test]
fn documents_follow_the_schema() {
    let schema = schema();
    for (name, document) in sample_documents() {
        let errors = schema.violations(document);
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

#[test]
fn documents_point_into_themselves() {
    for (name, document) in sample_documents() {
        let (sources, cells) = (&document["sources"], document["cells"].as_array().unwrap());
        for cell in cells {
            let source = &sources[cell["source"].as_u64().unwrap() as usize];
            for corner in cell["quad"].as_array().unwrap() {
                let inside = |value: &Value, side: &Value| {
                    let (value, side) = (value.as_f64().unwrap(), side.as_f64().unwrap());
                    (-0.05 * side..=1.05 * side).contains(&value)
                };
                assert!(inside(&corner[0], &source["width"]), "{name}: {cell}");
                assert!(inside(&corner[1], &source["height"]), "{name}: {cell}");
            }
            let read = cell["text"] != "";
            assert!(cell["state"] != "blank" || !read, "{name}: {cell}");
        }
        let mut ply = 0;
        for record in document["moves"].as_array().unwrap() {
            ply += 1;
            assert_eq!(record["ply"], ply, "{name}");
            assert_eq!(record["number"], (ply + 1) / 2, "{name}");
            for index in record["cells"].as_array().unwrap() {
                assert!((index.as_u64().unwrap() as usize) < cells.len(), "{name}");
            }
        }
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = schema();
    let path = repository().join("crates/pipeline/schema/example.json");
    let example: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(schema.violations(&example), Vec::<String>::new());
    let table = [
        ("/schema", Value::from("scoresheet.game/2")),
        ("/result", Value::from("2-0")),
        ("/moves/0/colour", Value::from("green")),
        ("/moves/0/confidence", Value::from(1.5)),
        ("/moves/0/san", Value::Null),
        ("/moves/0/san", Value::from("e9")),
        ("/moves/1/uci", Value::from("e2e4")),
        ("/cells/0/quad", Value::from(vec![1, 2, 3, 4])),
        ("/cells/0/state", Value::from("wet")),
        ("/sources/0/copy", Value::from("C")),
        ("/generator/model", Value::from("sha256:xyz")),
    ];
    for (place, value) in table {
        let mut wrong = example.clone();
        *wrong.pointer_mut(place).unwrap() = value.clone();
        assert!(!schema.violations(&wrong).is_empty(), "{place} = {value}");
    }
    for name in example.as_object().unwrap().keys() {
        let mut wrong = example.clone();
        wrong.as_object_mut().unwrap().remove(name);
        assert!(!schema.violations(&wrong).is_empty(), "without {name}");
    }
}
