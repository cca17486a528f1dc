// The app may be served below any path of a server; the <base> of index.html has that path.

const root = new URL(document.baseURI).pathname.replace(/\/$/, "");

/** Returns the path of a page or an API route below the root of the app, such as `at("/lobby")`. */
export function at(path: string): string {
  return root + path;
}

/** Returns the URL of a WebSocket on this server. */
export function socketAt(path: string): string {
  const url = new URL(at(path), location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
