// The app's client of the server, and what it stores in this browser.

export { Refusal } from "../refusal";
export * as api from "./api";
export { become, type Identity, identity, rename, signedIn, signedOut, wasSignedOut, whoAmI } from "./identity";
export { at, socketAt } from "./paths";
export { type Settings, set, settingChoices, settings } from "./settings";
export { Socket, type Standing } from "./socket";
