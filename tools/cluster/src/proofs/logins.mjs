import { randomBytes } from 'node:crypto';
import { NAME } from '../names.mjs';
import { ours, secret, untilReady, upgrade } from '../release.mjs';
import { during } from './disturb.mjs';

const INSTANCE = 'app.kubernetes.io/instance=music';
const fresh = () => randomBytes(24).toString('hex');

const patch = (values) => ours('patch', 'secret', NAME, '--patch', JSON.stringify({ stringData: values }));

const restart = async () => {
  await ours('rollout', 'restart', 'deployment', '--selector', INSTANCE);
  await untilReady();
};

/** Asks Postgres as the services do, by the tools pod; the image that stands in for Postgres here has no psql. */
const ASK = `
  import pg from 'pg';
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const { rows } = [await client.query(process.argv[1])].flat().at(-1);
  console.log(JSON.stringify(rows));
  await client.end();
`;
const psql = async (statements) =>
  JSON.parse(await ours('exec', `deployment/${NAME}-tools`, '--', 'node', '--input-type=module', '--eval', ASK, statements));

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
