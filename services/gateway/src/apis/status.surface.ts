import { productVersion } from '@continuo/chassis';
import type { FastifyInstance } from 'fastify';
import type { Shell } from './account-page/page-shell.js';
import { sendPage } from './account-page/send-page.js';
import type { Surface } from '../server/server.js';
import { xmlText } from '../render/index.js';
import type { HasConfig } from '../server/needs.js';

type Services = HasConfig;

/** Readiness checks; each answers at once. */
export interface ReadinessChecks {
  readonly nats: () => boolean;
  readonly draining: () => boolean;
  /** `ok`, or what is missing of the tables that this release reads. */
  readonly readModel: () => string;
}

const page =
  (baseUrl: string, hasAccountPage: boolean): Shell =>
  (nonce) =>
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Continuo</title><meta name="viewport" content="width=device-width">
<style nonce="${nonce}">body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}code{background:#8882;padding:.1em .3em}</style></head>
<body><h1>Continuo</h1><p>A music library server, version ${xmlText(productVersion)}. Give your player one of these addresses:</p>
<ul><li>Subsonic and OpenSubsonic players: <code>${baseUrl}</code></li>
<li>Native API: <code>${baseUrl}/server/json.server.php</code> or <code>${baseUrl}/server/xml.server.php</code></li>
<li>Native API as REST: <code>${baseUrl}/rest/8/json/</code></li></ul>
${hasAccountPage ? '<p><a href="account/me">Your account</a></p>\n' : ''}<p>For programs: <a href="docs">the APIs and their documents</a>.</p>
<p>For operators: <a href="/health/live">live</a>, <a href="/health/ready">ready</a>.</p></body></html>
`;

/** The page of addresses for players, at `/addresses`, and health as yes or no: details and metrics are for operators, on the address of `startHealthServer`. */
export const statusSurface =
  (services: Services, checks: ReadinessChecks): Surface =>
  (app: FastifyInstance) => {
    app.get('/health/live', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }));
    app.get('/health/ready', (_request, reply) => {
      const isReady = checks.nats() && checks.readModel() === 'ok' && !checks.draining();
      return reply
        .code(isReady ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: isReady ? 'ready' : 'not ready' });
    });
    app.get('/addresses', (request, reply) => {
      const base = services.config.PUBLIC_URL?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`;
      return sendPage(reply, page(xmlText(base).replaceAll('"', '&quot;'), services.config.ACCOUNT_PAGE));
    });
  };
