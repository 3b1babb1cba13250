import { signOperatorToken } from '@continuo/chassis';
import { OperatorError, locateServer, secretSettings, type Settings } from '@continuo/operations';
import { contextsFileOf, readContexts } from './contexts.js';

/** A server that answers the management API. */
export interface ServerAddress {
  /** Base URL without a slash at its end. */
  readonly url: string;
  /** Value of the `Authorization` header of the next request. */
  readonly authorization: () => string;
  /** True for a server that was named: its files and folders need not be those of this machine. */
  readonly isElsewhere: boolean;
}

/** Server that is wanted, from the options and the environment. */
export interface ServerWanted {
  /** Of `--server` or `CONTINUO_SERVER`. */
  readonly server?: string | undefined;
  /** Of `--key` or `CONTINUO_KEY`. */
  readonly key?: string | undefined;
  /** Of `--context` or `CONTINUO_CONTEXT`. */
  readonly context?: string | undefined;
  /** True when a data folder is an argument, or the servers' own URLs are set. */
  readonly isLocal: boolean;
}

const bearer = (key: string) => (): string => `Bearer ${key}`;
const baseOf = (url: string): string => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new OperatorError(`"${url}" is no address of a server`, 'expected one such as https://music.example.org');
  return url.replace(/\/+$/, '');
};

/** A server whose secret is known here: each request is signed anew. */
const ownServer = (url: string, secret: string): Omit<ServerAddress, 'isElsewhere'> => ({
  url: baseOf(url),
  authorization: () => `Bearer ${signOperatorToken(secret, Date.now())}`,
});

const savedServer = async (env: Environment, name: string | undefined): Promise<ServerAddress | undefined> => {
  const file = contextsFileOf(env);
  const { current, contexts } = await readContexts(file);
  const wanted = name ?? current;
  if (wanted === null) return undefined;
  const saved = contexts[wanted];
  if (!saved) throw new OperatorError(`no server is saved as "${wanted}"`, '"continuo context list" shows those that are');
  return { url: baseOf(saved.server), authorization: bearer(saved.key), isElsewhere: true };
};

type Environment = Readonly<Record<string, string | undefined>>;

const localServer = async (settings: Settings): Promise<ServerAddress> => {
  const { url, secretFile, operatorSecret } = await locateServer(settings);
  if (url === undefined)
    throw new OperatorError('the address of the gateway is not known', 'set CONTINUO_SERVER, for example to http://gateway:8080');
  return { ...ownServer(url, operatorSecret ?? (await secretSettings(settings, { secretFile })).CONTINUO_SECRET), isElsewhere: false };
};

/**
 * Finds the server that a command is for: one that is named with its key or by its saved name; else, unless a data folder is named, the saved one in use;
 * else the one over the data folder.
 * Beside the server's secret no key is needed.
 * @throws OperatorError when there is none, or no key to it
 */
export const findServer = async (
  { server, key, context, isLocal }: ServerWanted,
  settings: Settings,
  env: Environment,
): Promise<ServerAddress> => {
  if (server !== undefined) {
    const isElsewhere = !isLocal;
    if (key !== undefined) return { url: baseOf(server), authorization: bearer(key), isElsewhere };
    if (settings.CONTINUO_SECRET !== undefined) return { ...ownServer(server, settings.CONTINUO_SECRET), isElsewhere };
    throw new OperatorError(
      `there is no key to ${server}`,
      'set CONTINUO_KEY to an API key of an administrator, or save both with "continuo context add"',
    );
  }
  if (context !== undefined || !isLocal) {
    const saved = await savedServer(env, context);
    if (saved) return saved;
  }
  return localServer(settings);
};
