//! A validator for the part of JSON Schema (draft 2020-12) that our schema uses; any other keyword is a failure of the test.

use regex_lite::Regex;
use serde_json::{Map, Value};

/// A schema document.
pub struct Schema {
    root: Value,
}

impl Schema {
    pub fn new(text: &str) -> Self {
        Self {
            root: serde_json::from_str(text).unwrap(),
        }
    }

    /// Every violation, with the place in the document.
    pub fn violations(&self, document: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.check(&self.root, document, "", &mut found);
        found
    }

    fn check(&self, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
        for (keyword, rule) in schema.as_object().unwrap() {
            let holds = match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "title" | "description" | "then" | "else" => true,
                "$ref" => {
                    let target = rule.as_str().unwrap().strip_prefix('#').unwrap();
                    self.check(self.root.pointer(target).unwrap(), value, place, found);
                    true
                }
                "type" => match rule {
                    Value::Array(names) => names.iter().any(|name| has_type(value, name)),
                    name => has_type(value, name),
                },
                "const" => value == rule,
                "enum" => rule.as_array().unwrap().contains(value),
                "pattern" => value
                    .as_str()
                    .is_none_or(|text| Regex::new(rule.as_str().unwrap()).unwrap().is_match(text)),
                "minLength" => value
                    .as_str()
                    .is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().unwrap()),
                "minimum" => value
                    .as_f64()
                    .is_none_or(|number| number >= rule.as_f64().unwrap()),
                "maximum" => value
                    .as_f64()
                    .is_none_or(|number| number <= rule.as_f64().unwrap()),
                "minItems" => value
                    .as_array()
                    .is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
                "maxItems" => value
                    .as_array()
                    .is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{place}/{index}"), found);
                    }
                    true
                }
                "properties" => {
                    self.check_properties(rule.as_object().unwrap(), value, place, found);
                    true
                }
                "required" => value.as_object().is_none_or(|object| {
                    let names = rule.as_array().unwrap();
                    names
                        .iter()
                        .all(|name| object.contains_key(name.as_str().unwrap()))
                }),
                "allOf" => {
                    for part in rule.as_array().unwrap() {
                        self.check(part, value, place, found);
                    }
                    true
                }
                "if" => {
                    let mut reasons = Vec::new();
                    self.check(rule, value, place, &mut reasons);
                    let branch = if reasons.is_empty() { "then" } else { "else" };
                    if let Some(branch) = schema.get(branch) {
                        self.check(branch, value, place, found);
                    }
                    true
                }
                other => panic!("the validator does not know the keyword {other}"),
            };
            if !holds {
                found.push(format!("{place}: {value} violates {keyword} {rule}"));
            }
        }
    }

    fn check_properties(
        &self,
        rules: &Map<String, Value>,
        value: &Value,
        place: &str,
        found: &mut Vec<String>,
    ) {
        for (name, rule) in rules {
            if let Some(member) = value.get(name) {
                self.check(rule, member, &format!("{place}/{name}"), found);
            }
        }
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the validator does not know the type {other}"),
    }
}
