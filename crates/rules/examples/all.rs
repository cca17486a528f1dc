use rules::{shipped,Game,Board,perft}; use std::sync::Arc; use std::time::Instant;
fn main(){ for id in shipped(){ let t=Instant::now(); match Game::shipped(id,&[]) { Err(f)=>{println!("{id}"); for x in f {println!("  {x}");}}
 Ok(g)=>{ let load=t.elapsed(); let g=Arc::new(g); let b=Board::new(g.clone()); let mut p=b.position().clone(); print!("{id} load {load:?} odd {} :",g.rules.odd);
 for d in 1..=4 { let t=Instant::now(); let n=perft(&g.rules,&mut p,d); let s=t.elapsed().as_secs_f64(); print!(" {n} ({:.0} Mnps)", n as f64/s/1e6); if n>3_000_000 {break;} } println!(); } } } }
