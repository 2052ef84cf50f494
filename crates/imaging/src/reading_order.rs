//! The order in which the tables of a page are read: from left to right, one row of tables after another.

use crate::form::Form;

/// Puts forms in reading order. Forms of which one stands beside the other, if only by half its height, are of one row.
pub(crate) fn sort_forms(forms: &mut Vec<Form>) {
    let mut placed: Vec<([f32; 4], Form)> = std::mem::take(forms)
        .into_iter()
        .map(|form| (form.bounds(), form))
        .collect();
    placed.sort_by(|(a, _), (b, _)| a[1].total_cmp(&b[1]));
    let mut rows: Vec<Vec<([f32; 4], Form)>> = Vec::new();
    for (bounds, form) in placed {
        match rows.last_mut() {
            Some(row) if beside(&row[0].0, &bounds) => row.push((bounds, form)),
            _ => rows.push(vec![(bounds, form)]),
        }
    }
    for mut row in rows {
        row.sort_by(|(a, _), (b, _)| a[0].total_cmp(&b[0]));
        forms.extend(row.into_iter().map(|(_, form)| form));
    }
}

/// Whether two boxes (left, top, right, bottom) share half the height of the lower one.
fn beside(a: &[f32; 4], b: &[f32; 4]) -> bool {
    let common = a[3].min(b[3]) - a[1].max(b[1]);
    common * 2.0 > (a[3] - a[1]).min(b[3] - b[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_row_by_row() {
        let cases: [(&str, &[[f32; 4]]); 4] = [
            (
                "side by side, the right one a little higher",
                &[[0.0, 8.0, 90.0, 100.0], [100.0, 0.0, 190.0, 92.0]],
            ),
            (
                "one above the other, the upper one a little to the right",
                &[[5.0, 0.0, 95.0, 90.0], [0.0, 100.0, 90.0, 190.0]],
            ),
            (
                "a short one beside a long one",
                &[[0.0, 0.0, 90.0, 190.0], [100.0, 60.0, 190.0, 120.0]],
            ),
            (
                "four",
                &[
                    [0.0, 5.0, 90.0, 95.0],
                    [100.0, 0.0, 190.0, 90.0],
                    [0.0, 105.0, 90.0, 195.0],
                    [100.0, 100.0, 190.0, 190.0],
                ],
            ),
        ];
        for (name, places) in cases {
            let right: Vec<Form> = (1..)
                .zip(places)
                .map(|(n, &at)| Form::of_one_cell(n, 1, at))
                .collect();
            for turn in 0..right.len() {
                let mut forms = right.clone();
                forms.rotate_left(turn);
                sort_forms(&mut forms);
                assert_eq!(forms, right, "{name}, {turn}");
            }
        }
    }
}
