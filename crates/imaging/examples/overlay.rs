use scoresheet_imaging::*;
fn main() {
    let out = std::env::args().nth(1).unwrap();
    for f in std::env::args().skip(2) {
        let p = std::path::Path::new(&f);
        let stem = p.file_stem().unwrap().to_string_lossy().to_string();
        let t = std::time::Instant::now();
        let page = match load_page(p, &Limits::default()) {
            Ok(p) => p,
            Err(e) => {
                println!("{e}");
                continue;
            }
        };
        let t1 = t.elapsed();
        let paper = Paper::new(&page.gray);
        let t2 = t.elapsed();
        match find_form(&paper) {
            Err(e) => println!("{stem}\tERR\t{e}"),
            Ok(form) => {
                let t3 = t.elapsed();
                let ink = form
                    .cells
                    .iter()
                    .filter(|c| cut_cell(&paper, c).state == CellState::Ink)
                    .count();
                let t4 = t.elapsed();
                println!(
                    "{stem}\t{}x{}\tfirst {} {}\tq {:.2}\tink {ink}\t{:?} {:?} {:?} {:?}",
                    form.blocks,
                    form.rows,
                    form.first_number,
                    form.numbered,
                    form.quality,
                    t1,
                    t2 - t1,
                    t3 - t2,
                    t4 - t3
                );
                if out != "-" {
                    let mut rgb = image::DynamicImage::ImageLuma8(page.gray.clone()).into_rgb8();
                    let mut draw = |q: &[[f32; 2]; 4], col: [u8; 3]| {
                        for i in 0..4 {
                            let (a, b) = (q[i], q[(i + 1) % 4]);
                            let n = ((a[0] - b[0]).hypot(a[1] - b[1])) as usize + 1;
                            for k in 0..n {
                                let t = k as f32 / n as f32;
                                let (x, y) = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t);
                                for d in 0..2i32 {
                                    let (x, y) = (x as i32 + d, y as i32 + d);
                                    if x >= 0
                                        && y >= 0
                                        && (x as u32) < rgb.width()
                                        && (y as u32) < rgb.height()
                                    {
                                        rgb.put_pixel(x as u32, y as u32, image::Rgb(col));
                                    }
                                }
                            }
                        }
                    };
                    for n in &form.numbers {
                        draw(&n.quad, [0, 0, 255]);
                    }
                    for c in &form.cells {
                        draw(
                            &c.quad,
                            if c.column == Column::White {
                                [255, 0, 0]
                            } else {
                                [0, 160, 0]
                            },
                        );
                    }
                    rgb.save(format!("{out}/{stem}.jpg")).unwrap();
                }
            }
        }
    }
}
