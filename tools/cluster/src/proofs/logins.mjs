import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { startInside } from '../cluster.mjs';
import { NAME, NAMESPACE } from '../names.mjs';
import { ours, secret, untilReady, upgrade } from '../release.mjs';
import { during } from './disturb.mjs';

// The client of the services: this folder is no package.
const pg = createRequire(new URL('../../../../services/chassis/package.json', import.meta.url))('pg');
const INSTANCE = 'app.kubernetes.io/instance=music';
const fresh = () => randomBytes(24).toString('hex');

const patch = (values) => ours('patch', 'secret', NAME, '--patch', JSON.stringify({ stringData: values }));

const restart = async () => {
  await ours('rollout', 'restart', 'deployment', '--selector', INSTANCE);
  await untilReady();
};

const PORT = 15_432;

/** Asks Postgres with the login of the services, by a forwarded port: the image that stands in for Postgres here has no psql, and only pods of the release reach it. */
const psql = async (statements) => {
  const forward = startInside('kubectl', ['--namespace', NAMESPACE, 'port-forward', `statefulset/${NAME}-postgres`, `${PORT}:5432`]);
  try {
    await once(forward.stdout, 'data');
    const url = new URL(await secret('database-url'));
    url.host = `127.0.0.1:${PORT}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    const { rows } = [await client.query(statements)].flat().at(-1);
    await client.end();
    return rows;
  } finally {
    forward.kill();
    await once(forward, 'close');
  }
};

/** Logged-in database accounts, without the asking one. */
const LOGINS = `select usename as login, array_agg(distinct application_name) as programs from pg_stat_activity
  where datname = 'continuo' and application_name like 'continuo%' group by 1 order by 1`;

/** Another login of Postgres under load, and that an upgrade of the chart keeps it: the commands of docs/operate/rotate-secrets.md. */
export const postgresLoginProof = {
  name: 'postgres-login',
  run: async () => {
    const before = await psql(LOGINS);
    const password = fresh();
    const seen = await during('postgres-login', async () => {
      await psql(`create role continuo_2 login password '${password}' in role continuo; alter role continuo_2 set role continuo`);
      await patch({ 'database-url': `postgres://continuo_2:${password}@${NAME}-postgres:5432/continuo` });
      await restart();
    });
    const after = await psql(LOGINS);
    await upgrade('--set', 'services.gateway.config.LOG_LEVEL=info');
    return { ...seen, before, after, afterUpgrade: await psql(LOGINS), isKept: (await secret('database-url')).includes('continuo_2:') };
  },
};

/** Another password of the chart's own NATS: all of its servers and all services at once, and what clients miss meanwhile. */
export const natsLoginProof = {
  name: 'nats-login',
  run: () =>
    during('nats-login', async () => {
      await patch({ 'nats-password': fresh() });
      await ours('delete', 'pods', '--selector', `${INSTANCE},app.kubernetes.io/component=nats`, '--wait=false');
      await restart();
    }),
};
