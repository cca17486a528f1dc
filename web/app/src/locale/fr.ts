import core from "./core/fr.json";
import app from "./fr.json";

export default { ...core, ...app };
