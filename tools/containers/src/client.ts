import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { administrator, type Cluster } from './cluster.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface NativeError {
  readonly error?: { readonly errorCode: string; readonly errorMessage: string };
}

const PAUSE_MS = 250;
/** Time that a whole transcode may be refused for lack of a slot, ms. */
const PATIENCE_MS = 150_000;

/** One person's client of all three APIs, over all gateways in turn: what one of them is told, the others know. */
export class Client {
  readonly #cluster: Cluster;
  #turn = 0;
  #auth = '';

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Logs in to the native API with the password. The services start side by side: a gateway may answer before the first administrator is made. */
  async login(patienceMs: number): Promise<void> {
    for (const until = Date.now() + patienceMs; ; await delay(PAUSE_MS)) {
      try {
        this.#auth = await this.handshake('8.0.0');
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
      }
    }
  }

  /** Opens a session of a version of the native API and answers its token. */
  async handshake(version: string): Promise<string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const auth = sha256(timestamp + sha256(administrator.password));
    return (await this.native<{ auth: string }>('handshake', { auth, timestamp, user: administrator.name, version })).auth;
  }

  /** The session of the native API. */
  get session(): string {
    return this.#auth;
  }

  /** The next gateway's address. */
  get url(): string {
    this.#turn += 1;
    return this.#cluster.urls[this.#turn % this.#cluster.urls.length] ?? '';
  }

  /** A request, its answer whatever it is. */
  request(path: string, query: Readonly<Record<string, string>> = {}, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}${path}?${new URLSearchParams(query).toString()}`, { signal: AbortSignal.timeout(60_000), ...init });
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
    const answer = await this.begin(id, query);
    await answer.arrayBuffer();
    return answer.status;
  }

  /** Begins to take a transcode, as often as there is no place for it. */
  async begin(id: string, query: Readonly<Record<string, string>>): Promise<Response> {
    for (const until = Date.now() + PATIENCE_MS; ;) {
      const answer = await this.stream(id, query);
      if (answer.status !== 429 || Date.now() > until) return answer;
      await answer.arrayBuffer();
      await delay(Number(answer.headers.get('retry-after') ?? '1') * 1000);
    }
  }

  /** A song of the compatibility API, transcoded. */
  stream(id: string, query: Readonly<Record<string, string>>): Promise<Response> {
    return this.request('/rest/stream', { apiKey: administrator.apiKey, v: '1.16.1', c: 'containers', id, ...query });
  }
}
