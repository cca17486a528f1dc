//! `bindgen COMPILED.wasm FOLDER`: writes the core and the JavaScript module around it, `core.js` and `core_bg.wasm`.

use std::env;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [compiled, folder] = env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "expected two arguments")?;
    Bindgen::new()
        .input_path(compiled)
        .out_name("core")
        .web(true)?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)?;
    Ok(())
}
