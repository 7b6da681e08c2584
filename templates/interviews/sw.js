{% comment %}
The service worker of /interviews/: keeps the room's page openable without a line.
  static   the address that all static files of this release stand under
  files    addresses of those that the room's page loads
  fresh    true while somebody edits them: what is kept serves only when there is no line
{% endcomment %}// Kept: static files by their address, which changes with their content; and pages of rooms, for the person whom the server
// names in the page's answer. Nothing else: no POST, no candidate's page, no other page of ours.

const STATIC = "{{ static|escapejs }}";
const RELEASES = STATIC.replace(/[^/]+\/$/, "");
const FILES = [
{% for file in files %}  "{{ file|escapejs }}",
{% endfor %}];
const FRESH = {{ fresh|yesno:"true,false" }};
const SHELF = "sounding-static-";
const PAGES = "sounding-pages-";
const FOR = "X-Sounding-Keep";
const ROOM = /^\/interviews\/[0-9a-f-]{36}\/room\/$/;
const PATIENCE_MS = 3000;
// The right or the page is gone, or one is sent to sign in: the copy goes too.
const GONE = new Set([0, 401, 403, 404, 410]);

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELF + STATIC).then((shelf) => shelf.addAll(FILES)));
});

// A new release waits until no room is open any more (no skipWaiting); then it takes over those that open next.
self.addEventListener("activate", (event) => event.waitUntil(tidy().then(() => self.clients.claim())));

// Shelves of older releases go, unless a kept page still needs them.
async function tidy() {
  const names = await caches.keys();
  const pages = [];
  for (const name of names.filter((one) => one.startsWith(PAGES))) {
    const kept = await caches.open(name);
    for (const request of await kept.keys()) pages.push(await (await kept.match(request)).text());
  }
  const old = names.filter((name) => name.startsWith(SHELF) && name !== SHELF + STATIC);
  await Promise.all(old.filter((name) => !pages.some((page) => page.includes(name.slice(SHELF.length)))).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname.startsWith(RELEASES)) event.respondWith(file(request));
  else if (request.mode === "navigate" && ROOM.test(pathname)) event.respondWith(page(event, pathname));
});

self.addEventListener("message", (event) => {
  const path = event.data?.keep;
  if (ROOM.test(path)) event.waitUntil(fetch(path, { redirect: "manual" }).then((answer) => keep(path, answer)).catch(() => {}));
});

async function file(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept && !FRESH) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

// The network first, for three seconds; then what is kept. A proxy whose server is down counts as no network.
async function page(event, path) {
  const answer = fetch(event.request).then((response) => {
    event.waitUntil(keep(path, response.clone()));
    return response;
  });
  event.waitUntil(answer.catch(() => {}));
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  const first = await Promise.race([answer.catch(() => null), late]);
  if (first && first.status < 500) return first;
  return (await caches.match(path)) ?? answer;
}

// Whoever the server drew the page for is signed in here: copies that were drawn for others go.
async function keep(path, response) {
  const person = response.headers.get(FOR);
  if (response.status === 200 && person) {
    const others = (await caches.keys()).filter((name) => name.startsWith(PAGES) && name !== PAGES + person);
    await Promise.all(others.map((name) => caches.delete(name)));
    await (await caches.open(PAGES + person)).put(path, response);
  } else if (GONE.has(response.status)) {
    for (const name of await caches.keys()) if (name.startsWith(PAGES)) await (await caches.open(name)).delete(path);
  }
}
