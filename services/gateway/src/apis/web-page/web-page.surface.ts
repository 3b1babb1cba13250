import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { pageNonce, setPageHeaders } from '../../server/response-headers.js';
import type { HasConfig } from '../../server/needs.js';
import type { Surface } from '../../server/server.js';

/** Path of the page that the build has made. */
export const WEB_PAGE = fileURLToPath(import.meta.resolve('@continuo/web/index.html'));

/** Files for installing the page as an app, and their media types. */
const INSTALLED = {
  'manifest.webmanifest': 'application/manifest+json',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
} as const;

/** Stands in the built page where a nonce belongs. */
const NONCE = /\bNONCE\b/g;

/**
 * The page loads its own scripts by nonce: `'self'` would let JSONP answers of the compatibility API run, too. Addresses of pictures begin with the public URL.
 * Stations and episodes that are not downloaded sound from where they are.
 */
const policy = (nonce: string, publicUrl: string | undefined): string => {
  const pictures = publicUrl === undefined ? "'self'" : `'self' ${new URL(publicUrl).origin}`;
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    `img-src ${pictures}`,
    "media-src 'self' http: https: blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

/** The service worker fetches the page and its files, and nothing of others. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** `/`: the page to listen on, and its hashed files at `/assets`, compressed when they were built. It signs in by the account page; without that one, `/` leads to the addresses for players. */
export const webPageSurface =
  ({ config }: HasConfig): Surface =>
  async (app: FastifyInstance) => {
    if (!config.ACCOUNT_PAGE) {
      app.get('/', (_request, reply) => reply.redirect('addresses'));
      return;
    }
    const page = await readFile(WEB_PAGE, 'utf8');
    await app.register(fastifyStatic, {
      root: join(dirname(WEB_PAGE), 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '1y',
      index: false,
      decorateReply: false,
    });
    for (const [name, type] of Object.entries(INSTALLED)) {
      const file = await readFile(join(dirname(WEB_PAGE), name));
      app.get(`/${name}`, (_request, reply) => reply.type(type).header('cache-control', 'public, max-age=86400').send(file));
    }
    // Asked for anew each time, because it decides which files of the page are kept.
    const worker = await readFile(join(dirname(WEB_PAGE), 'service-worker.js'));
    app.get('/service-worker.js', (_request, reply) =>
      setPageHeaders(reply).type('text/javascript; charset=utf-8').header('content-security-policy', WORKER_POLICY).send(worker),
    );
    app.route({
      method: ['GET', 'HEAD'],
      url: '/',
      handler: (_request, reply) => {
        const nonce = pageNonce();
        return setPageHeaders(reply)
          .type('text/html; charset=utf-8')
          .header('content-security-policy', policy(nonce, config.PUBLIC_URL))
          .send(page.replace(NONCE, nonce));
      },
    });
  };
