// Keeps on this device what the app needs without a network: the shell (the page, its code, texts and drawings), the core
// with its networks once they were used, the games that ship, and the latest answers about games, lessons and puzzles.
// Answers that belong to a person are never kept.

const SHELL = __SHELL__;
const CORE = __CORE__.map((file) => new URL(file, self.registration.scope).href);
const CACHE = `shell-${hash(SHELL.join())}`;
/** Caches that outlive a new version of the app. */
const CORE_CACHE = "core";
const ANSWERS = "answers";

/** Routes whose answers are the same for everyone, below `api/`. */
const PUBLIC = /^(games(\/[\w-]+(\/(lessons|first-game|exercises|positions|puzzles(\/\d+)?))?)?|daily)$/;
const MOST_ANSWERS = 400;
/** How long a kept answer waits for the network's, in milliseconds. */
const PATIENCE = 4000;

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(renewCore)
      .then(() => keepGames().catch(() => undefined))
      .then(() => self.skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith("shell-") && name !== CACHE))
      // The latest of the others has what pages that are open may still load: the server has only the new files.
      .then((names) => Promise.all(names.slice(0, -1).map((name) => caches.delete(name))))
      .then(dropOldCore)
      .then(() => self.clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const scope = new URL(self.registration.scope);
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.origin) return;
  const path = url.pathname.slice(scope.pathname.length);
  if (path.startsWith("api/")) {
    if (PUBLIC.test(path.slice(4))) event.respondWith(newest(request));
  } else if (request.mode === "navigate") {
    // The newest page if there is a network, otherwise the cached one.
    event.respondWith(fetch(request).catch(() => stored(scope.href)));
  } else {
    event.respondWith(stored(request).then((found) => found ?? fetched(request)));
  }
});

/** A file of this version of the app, or else of the one before. */
const stored = async (request) => (await caches.match(request, { cacheName: CACHE })) ?? caches.match(request);

const isCore = (address) => /\.(wasm|net)$/.test(new URL(address).pathname);

async function fetched(request) {
  const response = await fetch(request);
  if (response.ok && isCore(request.url)) {
    const cache = await caches.open(CORE_CACHE);
    await cache.put(request, response.clone()).catch(() => undefined);
  }
  return response;
}

/** A file's address without the hash of its content. */
const stem = (address) => address.replace(/-[\w-]{8}(\.\w+)$/, "$1");

/** Fetches the new versions of the files of the core that an older version of the app has kept. */
async function renewCore() {
  const cache = await caches.open(CORE_CACHE);
  const kept = (await cache.keys()).map(({ url }) => url);
  const renewed = CORE.filter((url) => !kept.includes(url) && kept.some((old) => stem(old) === stem(url)));
  // Without the new files the app still works, and fetches them when they are needed.
  await Promise.all(renewed.map((url) => cache.add(url).catch(() => undefined)));
}

async function dropOldCore() {
  const cache = await caches.open(CORE_CACHE);
  const old = (await cache.keys()).filter(({ url }) => !CORE.includes(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}

/** Answers from the network, or with what was kept if there is none or it is slow. */
async function newest(request) {
  const asked = fetch(request).then(async (response) => {
    if (response.ok) await keep(request.url, response.clone()).catch(() => undefined);
    return response;
  });
  const slow = new Promise((late) => setTimeout(late, PATIENCE));
  const cache = await caches.open(ANSWERS);
  const kept = () => cache.match(request.url).then((found) => found ?? inAnyLanguage(cache, request.url));
  const first = await Promise.race([asked.catch(() => null), slow]);
  // A server that has failed is as good as none.
  return first?.status < 500 ? first : ((await kept()) ?? first ?? asked);
}

/** A text in another language is better than none. */
function inAnyLanguage(cache, address) {
  return address.includes("lang=") ? cache.match(address, { ignoreSearch: true }) : undefined;
}

async function keep(address, response) {
  const cache = await caches.open(ANSWERS);
  const answer = await response.json();
  const { date } = answer;
  // The days that a person has solved are theirs.
  if (date) answer.solved = [];
  // The puzzle of today is one of the past tomorrow.
  const addresses = new Set([address, ...(date ? [`${address.split("?")[0]}?date=${date}`] : [])]);
  for (const each of addresses) {
    // Deleted first, so that the oldest are at the beginning.
    await cache.delete(each);
    await cache.put(each, new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } }));
  }
  const all = await cache.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - MOST_ANSWERS)).map((old) => cache.delete(old)));
}

/** Keeps the games that ship, so that after a visit to any page the others can offer them without a network. */
async function keepGames() {
  const ask = (path) => newest(new Request(`api/games${path}?lang=${navigator.language.slice(0, 2)}`));
  for (const { id, origin } of await (await ask("")).json()) if (origin === "shipped") await ask(`/${id}`);
}

// What the server says while no page may be open; the texts are in the person's language.
addEventListener("push", (event) => {
  const { title, body, path, tag } = event.data.json();
  const data = new URL(path.slice(1), self.registration.scope).href;
  const icon = new URL("icon-192.png", self.registration.scope).href;
  event.waitUntil(self.registration.showNotification(title, { body, tag, data, icon, renotify: true }));
});

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
  return [...text].reduce((value, character) => (value * 33 + character.charCodeAt(0)) >>> 0, 5381).toString(36);
}
