import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { NAME } from '../names.mjs';
import { ours, pods, secret, untilReady, upgrade } from '../release.mjs';
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

/** Asks Postgres with the login of the services; the image that stands in for Postgres here has no psql. */
const psql = async (statements) => {
  const [pod] = await pods('postgres');
  const url = new URL(await secret('database-url'));
  url.hostname = pod.status.podIP;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return [await client.query(statements)].flat().at(-1).rows;
  } finally {
    await client.end();
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
