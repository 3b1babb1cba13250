import { metricsText } from '@continuo/chassis';
import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import type { Surface } from './http/server.js';
import { xmlText } from './render/index.js';
import { SERVER_VERSION } from './native/server-version.js';
import type { GatewayServices } from './services.js';

/** What must be there before calls can be served; each answers quickly or fails. */
export interface ReadinessChecks {
  readonly nats: () => boolean;
  readonly draining: () => boolean;
}

/** A reading of the readiness is good for so long, so that asking often costs nothing. */
const FRESH_MS = 1000;

// A view from every owner: they appear once each owner's projections have begun. And what came last: it appears when the tables of this release have caught up, while gateways of the
// one before go on with what they know.
const views = sql`
  select (select count(*) from (select from library.counter limit 1) a), (select count(*) from (select from library.song limit 1) b),
    (select count(*) from (select from social.user limit 1) c), (select count(*) from (select from playback.song_plays limit 1) d),
    (select count(*) from (select from ingestion.scan limit 1) e), (select count(*) from (select from library.song_contributor limit 1) f)
`;

const readModelState = async ({ db, log }: GatewayServices): Promise<string> => {
  try {
    await views.execute(db);
    return 'ok';
  } catch (error) {
    log.debug({ err: error }, 'the read model is not there yet');
    return 'the read model cannot be read yet';
  }
};

const page = (baseUrl: string, hasAccountPage: boolean): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Continuo</title><meta name="viewport" content="width=device-width">
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}code{background:#8882;padding:.1em .3em}</style></head>
<body><h1>Continuo</h1><p>A music library server, version ${xmlText(SERVER_VERSION)}. Give your player one of these addresses:</p>
<ul><li>Subsonic and OpenSubsonic players: <code>${baseUrl}</code></li>
<li>Native API: <code>${baseUrl}/server/json.server.php</code> or <code>${baseUrl}/server/xml.server.php</code></li>
<li>Native API as REST: <code>${baseUrl}/rest/8/json/</code></li></ul>
${hasAccountPage ? '<p><a href="account/me">Your account</a></p>\n' : ''}<p>For operators: <a href="/health/live">live</a>, <a href="/health/ready">ready</a>, <a href="/metrics">metrics</a>.</p></body></html>
`;

/** The page at `/`, health and metrics. */
export const statusSurface =
  (services: GatewayServices, checks: ReadinessChecks): Surface =>
  (app: FastifyInstance) => {
    let known = { at: Number.NEGATIVE_INFINITY, readModel: 'not looked at yet' };
    const state = async (): Promise<string> => {
      if (performance.now() - known.at > FRESH_MS) known = { at: performance.now(), readModel: await readModelState(services) };
      return known.readModel;
    };
    app.get('/health/live', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }));
    app.get('/health/ready', async (_request, reply) => {
      const parts = {
        nats: checks.nats() ? 'ok' : 'does not answer',
        readModel: await state(),
        service: checks.draining() ? 'draining' : 'ok',
      };
      const ready = Object.values(parts).every((part) => part === 'ok');
      return reply
        .code(ready ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: ready ? 'ready' : 'not ready', parts });
    });
    app.get('/metrics', async (_request, reply) =>
      reply.type(services.metrics.registry.contentType).send(await metricsText(services.metrics)),
    );
    app.get('/', (request, reply) => {
      const base = services.config.PUBLIC_URL?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`;
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .send(page(xmlText(base).replaceAll('"', '&quot;'), services.config.ACCOUNT_PAGE));
    });
  };
