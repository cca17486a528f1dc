import core from "./core/en.json";
import app from "./en.json";

export default { ...core, ...app };
