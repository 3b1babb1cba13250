import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { startServerProcess } from '../child/server-process.js';
import { isServed, untilAnswering } from '../child/until-answering.js';
import { config } from '../config.js';
import { LocalServerError } from '../error.js';
import { freePort } from '../free-port.js';

/** A Keycloak of a test, with one realm. */
export interface TestKeycloak {
  readonly issuer: string;
  /** Calls the administration below the realm, such as `users`. Answers the JSON, undefined where there is none. @throws Error when it is refused */
  readonly admin: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** A first start on a busy machine compiles for a minute. */
const PATIENCE = { withinMs: 240_000, pauseMs: 250 };
const ADMIN = { username: 'spec', password: 'the administrator of the spec' };

const tokenOf = async (base: string): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN });
  const answer = await fetch(`${base}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
};

const asked = async (base: string, method: string, path: string, body?: unknown): Promise<unknown> => {
  // A token is valid for a minute, a spec lasts longer.
  const headers = { authorization: `Bearer ${await tokenOf(base)}`, 'content-type': 'application/json' };
  const answer = await fetch(`${base}/admin/realms${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`keycloak: ${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
};

/**
 * Starts the Keycloak of `KEYCLOAK_HOME` with nothing but this realm, in memory.
 * @param realm as an export of Keycloak has it; its name is in `realm`
 * @throws LocalServerError when there is none or it does not start
 */
export const testKeycloak = async (realm: Readonly<Record<string, unknown>> & { readonly realm: string }): Promise<TestKeycloak> => {
  const home = config.keycloakHome;
  if (home === undefined) throw new LocalServerError('no Keycloak; set KEYCLOAK_HOME');
  const bin = join(home, 'bin/kc.sh');
  await access(bin);
  const base = `http://localhost:${await freePort()}`;
  const child = await startServerProcess({
    name: 'keycloak',
    bin,
    args: ['start-dev', '--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${new URL(base).port}`],
    cwd: home,
    env: { KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username, KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password, JAVA_OPTS_APPEND: '-Xmx512m' },
    stopSignal: 'TERM',
  });
  await untilAnswering('keycloak', child, () => isServed(`${base}/realms/master`), PATIENCE);
  await asked(base, 'POST', '', realm);
  return {
    issuer: `${base}/realms/${realm.realm}`,
    admin: (method, path, body) => asked(base, method, `/${realm.realm}/${path}`, body),
    stop: child.stop,
  };
};
