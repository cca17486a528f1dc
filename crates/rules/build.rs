//! Lists the definitions in `games/` and their translations in `games/locale/`, so that adding either only takes a
//! file.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let games = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../games");
    let mut code = String::from("static SHIPPED: Texts = &[\n");
    for path in definitions(&games) {
        writeln!(code, "    ({:?}, {}),", stem(&path), include(&path)).expect("a string grows");
    }
    code.push_str("];\n/// Language, what programs say in it, and translations of games by their id.\n");
    code.push_str("static LOCALES: &[(&str, &str, Texts)] = &[\n");
    for titles in definitions(&games.join("locale")) {
        writeln!(code, "    ({:?}, {}, &[", stem(&titles), include(&titles)).expect("a string grows");
        let folder = titles.with_extension("");
        for path in if folder.exists() { definitions(&folder) } else { Vec::new() } {
            writeln!(code, "        ({:?}, {}),", stem(&path), include(&path)).expect("a string grows");
        }
        code.push_str("    ]),\n");
    }
    code.push_str("];\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("shipped.rs");
    fs::write(out, code).expect("OUT_DIR is writable");
}

/// The TOML files of a folder, in the order of their names.
fn definitions(folder: &Path) -> Vec<PathBuf> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("games/ and games/locale/ are part of the project")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("an ASCII file name")
}

fn include(path: &Path) -> String {
    println!("cargo:rerun-if-changed={}", path.display());
    let full = fs::canonicalize(path).expect("it was just listed");
    format!("include_str!({:?})", full.display().to_string())
}
