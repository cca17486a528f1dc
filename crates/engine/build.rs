//! Embeds the tuned weights and the networks.

use std::{env, fs, path::Path};

fn main() {
    embed("weights", "txt", "tuned.rs", "const TUNED: &[(&str, &str)]", "include_str");
    embed("nets", "net", "networks.rs", "const NETWORKS: &[(&str, &[u8])]", "include_bytes");
}

/// Writes a table of a folder's files, by the id of the game that each is for.
fn embed(folder: &str, extension: &str, name: &str, table: &str, include: &str) {
    println!("cargo::rerun-if-changed={folder}");
    let mut files: Vec<_> =
        fs::read_dir(folder).map(|list| list.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    files.sort();
    let mut text = format!("{table} = &[\n");
    for path in files.iter().filter(|path| path.extension().is_some_and(|found| found == extension)) {
        let id = path.file_stem().and_then(|name| name.to_str()).expect("a name of ASCII letters");
        let path = path.canonicalize().expect("a file just listed");
        text += &format!("    ({id:?}, {include}!({:?})),\n", path.display().to_string());
    }
    text += "];\n";
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join(name), text).expect("a folder that can be written");
}
