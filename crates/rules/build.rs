//! Lists the definitions in `games/`, so that adding a game is adding a file.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let games = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../games");
    println!("cargo:rerun-if-changed={}", games.display());
    let mut files: Vec<_> = fs::read_dir(&games)
        .expect("the folder games/ is part of the project")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    let mut code = String::from("static SHIPPED: &[(&str, &str)] = &[\n");
    for path in &files {
        println!("cargo:rerun-if-changed={}", path.display());
        let id = path.file_stem().and_then(|stem| stem.to_str()).expect("an ASCII file name");
        let full = fs::canonicalize(path).expect("it was just listed");
        writeln!(code, "    ({id:?}, include_str!({:?})),", full.display().to_string()).expect("a string grows");
    }
    code.push_str("];\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("shipped.rs");
    fs::write(out, code).expect("OUT_DIR is writable");
}
