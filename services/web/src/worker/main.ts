import { OFFLINE_CACHE, OFFLINE_PATH } from '../lib/offline-address.js';
import { partOf, withFreshNonce } from './answers.js';

declare const self: ServiceWorkerGlobalScope;
/** Names of the page's scripts and styles; put here by the build, so that each build is a new worker. */
declare const FILES: readonly string[];

const PAGE_CACHE = 'continuo-page';
/** A server that has not answered for so long is taken for away, ms. */
const PATIENCE_MS = 5000;
const SERVER_ERROR = 500;

const page = self.registration.scope;
const addresses = FILES.map((name) => `${page}assets/${name}`);

/** Keeps the page and its scripts, so that it opens without the server. Those of managing are not among them. */
const keepPage = async (): Promise<void> => {
  const cache = await caches.open(PAGE_CACHE);
  const known = new Set((await cache.keys()).map(({ url }) => url));
  await cache.addAll([page, ...addresses.filter((address) => !known.has(address))]);
};

const removeOldFiles = async (): Promise<void> => {
  const cache = await caches.open(PAGE_CACHE);
  const wanted = new Set([page, ...addresses]);
  await Promise.all((await cache.keys()).filter(({ url }) => !wanted.has(url)).map((request) => cache.delete(request)));
};

const kept = (url: string, cacheName: string): Promise<Response | undefined> =>
  caches.match(url, { cacheName, ignoreSearch: true, ignoreVary: true });

/** The page as the server has it now; the kept one while the server is away. */
const openPage = async (request: Request): Promise<Response> => {
  const fromServer = async (): Promise<Response | undefined> => {
    const response = await fetch(request);
    if (response.ok) await (await caches.open(PAGE_CACHE)).put(page, response.clone());
    return response.status < SERVER_ERROR ? response : undefined;
  };
  const patience = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  // Without a connection there is no answer.
  const response = await Promise.race([fromServer().catch(() => undefined), patience]);
  const copy = response ? undefined : await kept(page, PAGE_CACHE);
  return response ?? (copy ? withFreshNonce(copy) : fetch(request));
};

const openFile = async (request: Request): Promise<Response> => (await kept(request.url, PAGE_CACHE)) ?? fetch(request);

const openKept = async ({ url, headers }: Request): Promise<Response> => {
  const file = await kept(url, OFFLINE_CACHE);
  return file ? partOf(file, headers.get('range')) : new Response(null, { status: 404 });
};

self.addEventListener('install', (event) => event.waitUntil(keepPage()));
// The page that has installed it is to find what it keeps, too.
self.addEventListener('activate', (event) => event.waitUntil(removeOldFiles().then(() => self.clients.claim())));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const path = `${origin}${pathname}`;
  if (request.method !== 'GET' || !path.startsWith(page)) return;
  if (path === page && request.mode === 'navigate') event.respondWith(openPage(request));
  else if (path.startsWith(`${page}assets/`)) event.respondWith(openFile(request));
  else if (path.startsWith(page + OFFLINE_PATH)) event.respondWith(openKept(request));
});
