//! The forms that the pages of a stack have shown, for those pages that do not prove their own.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use scoresheet_imaging::{Form, FormShape, Limits, find_upright_forms, load_page};

use crate::error::{SheetError, catching};
use crate::input::ImagePage;

/// Pages with a form that are asked, the nearest in the stack, and pages that are looked at for them, at most.
const ASKED: usize = 6;
const LOOKED_AT: usize = 12;
/// Pages that must have one form before it is expected of others.
const LEAST_LIKE: usize = 2;

/// Which forms the pages of a stack have.
///
/// What is expected of a page depends on the pages near it alone: not on those that happen to be read already.
#[derive(Debug)]
pub struct StackForms {
    /// In the order of the stack.
    pages: Vec<ImagePage>,
    places: HashMap<ImagePage, usize>,
    limits: Limits,
    /// What pages have shown, by their places.
    shown: Mutex<HashMap<usize, Vec<FormShape>>>,
}

impl StackForms {
    /// A stack of these pages, in their order; of a sheet its whole page.
    pub fn new<'a>(images: impl IntoIterator<Item = &'a ImagePage>, limits: Limits) -> Self {
        let (mut pages, mut places) = (Vec::new(), HashMap::new());
        for image in images {
            let page = image.whole_page();
            if !places.contains_key(&page) {
                places.insert(page.clone(), pages.len());
                pages.push(page);
            }
        }
        Self {
            pages,
            places,
            limits,
            shown: Mutex::default(),
        }
    }

    /// The shapes of forms that two or more of the pages near this one have, the most frequent first.
    pub(crate) fn expected(&self, image: &ImagePage) -> Vec<FormShape> {
        let Some(&place) = self.places.get(&image.whole_page()) else {
            return Vec::new();
        };
        // Of as many on both sides as there are, then of those on one.
        let near = (1..self.pages.len())
            .flat_map(|far| [place.checked_sub(far), place.checked_add(far)])
            .flatten()
            .filter(|&near| near < self.pages.len());
        let shapes = near.take(LOOKED_AT).map(|near| self.shown_by(near));
        let shapes = shapes.filter(|shapes| !shapes.is_empty()).take(ASKED);
        let mut groups: Vec<(FormShape, usize)> = Vec::new();
        for shape in shapes.flatten() {
            match groups.iter_mut().find(|(known, _)| known.is_like(&shape)) {
                Some((_, count)) => *count += 1,
                None => groups.push((shape, 1)),
            }
        }
        groups.retain(|&(_, count)| count >= LEAST_LIKE);
        groups.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        groups.into_iter().map(|(shape, _)| shape).collect()
    }

    /// Notes the forms that were found on a page, so that nobody looks for them again.
    pub(crate) fn note(&self, image: &ImagePage, forms: &[Form]) {
        if let Some(&place) = self.places.get(&image.whole_page()) {
            self.keep(place, forms.iter().filter_map(FormShape::of).collect());
        }
    }

    fn shown_by(&self, place: usize) -> Vec<FormShape> {
        let known = self.lock().get(&place).cloned();
        known.unwrap_or_else(|| {
            let shapes = self.look_at(&self.pages[place]).unwrap_or_default();
            self.keep(place, shapes.clone());
            shapes
        })
    }

    /// The shapes of a page's forms; nothing where it shows none, whatever the reason: who reads it is told.
    fn look_at(&self, image: &ImagePage) -> Option<Vec<FormShape>> {
        let look = || -> Result<_, SheetError> {
            let page = load_page(&image.file, image.number(), &self.limits)?;
            Ok(find_upright_forms(page).ok())
        };
        let found = catching(&image.label(), look).ok()??;
        Some(found.forms.iter().filter_map(FormShape::of).collect())
    }

    fn keep(&self, place: usize, shapes: Vec<FormShape>) {
        self.lock().insert(place, shapes);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Vec<FormShape>>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
