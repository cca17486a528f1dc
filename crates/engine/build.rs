//! Embeds the tuned weights and, with the feature `networks`, the networks.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    embed(list("weights", "txt"), "tuned.rs", "const TUNED: &[(&str, &str)]", "include_str");
    let networks = if env::var_os("CARGO_FEATURE_NETWORKS").is_some() { list("nets", "net") } else { Vec::new() };
    embed(networks, "networks.rs", "const NETWORKS: &[(&str, &[u8])]", "include_bytes");
}

/// The files of a folder with this extension, in the order of their names.
fn list(folder: &str, extension: &str) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={folder}");
    let mut files: Vec<_> =
        fs::read_dir(folder).map(|list| list.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

/// Writes a table of files, by the id of the game that each is for.
fn embed(files: Vec<PathBuf>, name: &str, table: &str, include: &str) {
    let mut text = format!("{table} = &[\n");
    for path in files {
        let id = path.file_stem().and_then(|name| name.to_str()).expect("a name of ASCII letters");
        let path = path.canonicalize().expect("a file just listed");
        text += &format!("    ({id:?}, {include}!({:?})),\n", path.display().to_string());
    }
    text += "];\n";
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join(name), text).expect("a folder that can be written");
}
