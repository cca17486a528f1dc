// Caches the shell: the page, its code, texts and drawings; and the core and its networks, once they were used. Answers
// of the API are never cached.

const SHELL = __SHELL__;
const CACHE = `shell-${hash(SHELL.join())}`;

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const scope = new URL(self.registration.scope);
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.origin) return;
  if (url.pathname.startsWith(`${scope.pathname}api/`)) return;
  if (request.mode === "navigate") {
    // The newest page if there is a network, otherwise the cached one.
    event.respondWith(fetch(request).catch(() => caches.match(scope.href)));
  } else {
    event.respondWith(caches.match(request).then((cached) => cached ?? fetched(request)));
  }
});

async function fetched(request) {
  const response = await fetch(request);
  if (response.ok && /\.(wasm|net)$/.test(new URL(request.url).pathname)) {
    const cache = await caches.open(CACHE);
    await cache.put(request, response.clone()).catch(() => undefined);
  }
  return response;
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const target = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((windows) => {
      const open = windows.find((window) => window.url.split("#")[0] === target);
      return open ? open.focus() : self.clients.openWindow(target);
    }),
  );
});

function hash(text) {
  let value = 5381;
  for (const character of text) value = (value * 33 + character.charCodeAt(0)) >>> 0;
  return value.toString(36);
}
