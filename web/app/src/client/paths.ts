// The app may live below any path of a server; index.html's <base> says which.

const root = new URL(document.baseURI).pathname.replace(/\/$/, "");

/** The address of a page or an API route, from the root of the app: `at("/lobby")`. */
export function at(path: string): string {
  return root + path;
}

/** The address of a WebSocket on this server. */
export function socketAt(path: string): string {
  const url = new URL(at(path), location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
