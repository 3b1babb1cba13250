import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { administrator, type Cluster } from './cluster.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface NativeError {
  readonly error?: { readonly errorCode: string; readonly errorMessage: string };
}

/** One person's client of all three APIs. */
export class Client {
  readonly #cluster: Cluster;
  #auth = '';

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Logs in to the native API with the password. */
  async login(): Promise<void> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const auth = sha256(timestamp + sha256(administrator.password));
    const { auth: session } = await this.native<{ auth: string }>('handshake', {
      auth,
      timestamp,
      user: administrator.name,
      version: '8.0.0',
    });
    this.#auth = session;
  }

  /** A request, its answer whatever it is. */
  request(path: string, query: Readonly<Record<string, string>> = {}, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#cluster.url}${path}?${new URLSearchParams(query).toString()}`, { signal: AbortSignal.timeout(60_000), ...init });
  }

  /** A native action as JSON. @throws Error with the answer's own error */
  async native<T>(action: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
    const answer = (await (await this.request('/server/json.server.php', { action, auth: this.#auth, ...query })).json()) as T &
      NativeError;
    if (answer.error) throw new Error(`${action}: ${answer.error.errorCode} ${answer.error.errorMessage}`);
    return answer;
  }

  /** An operation of the compatibility API. @throws Error with the answer's own error */
  async compat<T>(operation: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
    const login = { apiKey: administrator.apiKey, v: '1.16.1', c: 'containers', f: 'json' };
    const answer = (await (await this.request(`/rest/${operation}`, { ...login, ...query })).json()) as {
      'subsonic-response': T & { status: string; error?: { code: number; message: string } };
    };
    const response = answer['subsonic-response'];
    if (response.status !== 'ok') throw new Error(`${operation}: ${response.error?.code} ${response.error?.message}`);
    return response;
  }

  /** Takes a whole transcode, coming back when the server says that it has no place free. Answers the status in the end. */
  async take(id: string, query: Readonly<Record<string, string>>): Promise<number> {
    for (;;) {
      const answer = await this.stream(id, query);
      await answer.arrayBuffer();
      if (answer.status !== 429) return answer.status;
      await delay(Number(answer.headers.get('retry-after') ?? '1') * 1000);
    }
  }

  /** A song of the compatibility API, transcoded. */
  stream(id: string, query: Readonly<Record<string, string>>): Promise<Response> {
    return this.request('/rest/stream', { apiKey: administrator.apiKey, v: '1.16.1', c: 'containers', id, ...query });
  }
}
