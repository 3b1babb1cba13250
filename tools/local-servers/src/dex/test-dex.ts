import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess, type ServerProcess } from '../child/server-process.js';
import { isServed, untilAnswering } from '../child/until-answering.js';
import { config } from '../config.js';
import { LocalServerError } from '../error.js';
import { freePort } from '../free-port.js';
import { locateProgram } from '../locate-program.js';

/** The path of a Dex: `DEX_BIN`, else the first in PATH; undefined when there is none. */
export const locateDex = (): string | undefined => locateProgram('dex', config.dexBin);

/** Password of everybody at the provider. */
export const DEX_PASSWORD = 'a password of the spec';
const PASSWORD_HASH = '$2b$10$kcxXni1piqPdnedGaIowpuNpnvhg.a0qkOFERc9IniVrnv.G8RiOa';

/** A user of the provider; `name@example.org` is what they log in with. */
export interface DexUser {
  readonly name: string;
  /** `preferred_username`; left out, the provider tells none. */
  readonly preferredUsername?: string;
  readonly groups?: readonly string[];
  readonly isEmailVerified?: boolean;
}

/** Settings of the provider. */
export interface DexOptions {
  readonly users: readonly DexUser[];
  readonly clients: readonly Readonly<Record<string, unknown>>[];
  /** Identity providers that it asks itself; without any it asks for passwords. */
  readonly connectors?: readonly Readonly<Record<string, unknown>>[];
  /** Keeps users signed in and offers to sign out. */
  readonly hasSessions?: boolean;
  /** A free one when left out. */
  readonly port?: number;
  /** Sections of the configuration that replace the usual ones. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A Dex of a test. */
export interface TestDex {
  readonly issuer: string;
  /** Keys of the provider that are valid now. */
  readonly keyIds: () => Promise<readonly string[]>;
  /** Starts it anew, without all that it knew: with other keys. `changes` replaces options. */
  readonly restart: (changes?: Partial<DexOptions>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const configOf = (issuer: string, { users, clients, connectors, hasSessions, more }: DexOptions): Record<string, unknown> => ({
  issuer,
  storage: { type: 'memory' },
  web: { http: new URL(issuer).host.replace('localhost', '127.0.0.1') },
  oauth2: { skipApprovalScreen: false },
  staticClients: clients,
  ...(hasSessions ? { sessions: {} } : {}),
  ...(connectors ? { connectors } : { enablePasswordDB: true }),
  ...(connectors
    ? {}
    : {
        staticPasswords: users.map(({ name, preferredUsername, groups = [], isEmailVerified = true }) => ({
          email: `${name}@example.org`,
          hash: PASSWORD_HASH,
          username: name,
          userID: `id-of-${name}`,
          emailVerified: isEmailVerified,
          groups,
          ...(preferredUsername === undefined ? {} : { preferredUsername }),
        })),
      }),
  ...more,
});

/**
 * Starts a Dex on a port of this machine, which browsers know as `localhost`: to them it is another site than a server at 127.0.0.1.
 * @throws LocalServerError when there is no program ({@link locateDex}) or it does not start
 */
export const testDex = async (options: DexOptions): Promise<TestDex> => {
  const bin = locateDex();
  if (bin === undefined) throw new LocalServerError('no dex found; build one and set DEX_BIN');
  const folder = await mkdtemp(join(tmpdir(), 'continuo-dex-'));
  const issuer = `http://localhost:${options.port ?? (await freePort())}/dex`;
  let now = options;
  const start = async (): Promise<ServerProcess> => {
    const file = join(folder, 'dex.json');
    await writeFile(file, JSON.stringify(configOf(issuer, now)));
    const env: Record<string, string> = now.hasSessions ? { DEX_SESSIONS_ENABLED: 'true' } : {};
    const command = { name: 'dex', bin, args: ['serve', file], cwd: folder, env, stopSignal: 'TERM', removeAfterCrash: folder } as const;
    const child = await startServerProcess(command);
    await untilAnswering('dex', child, () => isServed(`${issuer}/.well-known/openid-configuration`));
    return child;
  };
  let child = await start();
  return {
    issuer,
    keyIds: async () => ((await (await fetch(`${issuer}/keys`)).json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid),
    restart: async (changes = {}) => {
      await child.stop();
      now = { ...now, ...changes };
      child = await start();
    },
    stop: async () => {
      await child.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
