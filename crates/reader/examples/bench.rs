use scoresheet_reader::*;
fn main() {
    let t = std::time::Instant::now();
    let r = Reader::embedded().unwrap();
    println!("load {:?}", t.elapsed());
    let mut w = r.worker();
    let img = image::open(std::env::args().nth(1).unwrap())
        .unwrap()
        .into_luma8();
    for width in [100u32, 140, 200, 240, 300] {
        let cell = image::imageops::crop_imm(&img, 0, 0, width.min(img.width()), 64).to_image();
        let t = std::time::Instant::now();
        w.read(&cell).unwrap();
        let first = t.elapsed();
        let t = std::time::Instant::now();
        for _ in 0..10 {
            w.read(&cell).unwrap();
        }
        println!(
            "{width} bucket {} first {first:?} then {:?}",
            network_input(&cell).bucket,
            t.elapsed() / 10
        );
    }
    let mut n = 0;
    let t = std::time::Instant::now();
    for k in 0..20 {
        let cell = image::imageops::crop_imm(&img, 0, 64 * k, img.width(), 64).to_image();
        let c = best_texts(&w.read(&cell).unwrap(), 3);
        println!("{:?}", c);
        n += 1;
    }
    println!("{:?} per cell", t.elapsed() / n);
}
