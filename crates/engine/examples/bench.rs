//! `cargo run -p acedrex-engine --example bench`: prints the bench signature of the engine and its speed.

use std::time::Instant;

fn main() {
    let start = Instant::now();
    let mut before = 0;
    let nodes = engine::bench(&engine::evaluation::Evaluator::new, &mut |id, nodes| {
        eprintln!("{id:12} {:9}", nodes - before);
        before = nodes;
    });
    eprintln!("{:.0} nodes a second", nodes as f64 / start.elapsed().as_secs_f64());
    println!("Bench: {nodes}");
}
