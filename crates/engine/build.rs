//! Embeds the tuned weights.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=weights");
    let mut files: Vec<_> =
        fs::read_dir("weights").map(|list| list.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    files.sort();
    let mut text = String::from("const TUNED: &[(&str, &str)] = &[\n");
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "txt")) {
        let id = path.file_stem().and_then(|name| name.to_str()).expect("a name of ASCII letters");
        let path = path.canonicalize().expect("a file just listed");
        text += &format!("    ({id:?}, include_str!({:?})),\n", path.display().to_string());
    }
    text += "];\n";
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&folder).join("tuned.rs"), text).expect("a folder that can be written");
}
