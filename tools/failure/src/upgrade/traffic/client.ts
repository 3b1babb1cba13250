import { administrator } from '../fleet.js';

/** A request that was not answered as it should have been. */
export interface FailedRequest {
  readonly atMs: number;
  readonly what: string;
  readonly why: string;
}

const PATIENCE_MS = 30_000;

/** Makes requests as a client does, never twice, and keeps count of them by kind. */
export class Client {
  readonly failed: FailedRequest[] = [];
  readonly #url: string;
  readonly #startedAt = performance.now();
  readonly #counts = new Map<string, number>();
  #slowestMs = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Requests by kind. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The longest time to a whole answer, ms. */
  get slowestMs(): number {
    return Math.round(this.#slowestMs);
  }

  /** An action of the native API; undefined when it failed. */
  async native<T>(kind: string, action: string, query: Readonly<Record<string, string>> = {}): Promise<T | undefined> {
    const text = new URLSearchParams({ action, version: '6.0.0', ...query }).toString();
    return this.#ask(kind, `${action} ${text}`, async () => {
      const answer = await this.#fetch(`/server/json.server.php?${text}`, { authorization: `Bearer ${administrator.apiKey}` });
      const body = (await answer.json()) as T & { error?: { errorMessage?: string } };
      if (body.error) throw new Error(JSON.stringify(body.error));
      return body;
    });
  }

  /** An operation of the compatibility API; undefined when it failed. */
  async compat<T>(kind: string, operation: string, query: Readonly<Record<string, string>> = {}): Promise<T | undefined> {
    const login = { u: administrator.name, p: administrator.password, v: '1.16.1', c: 'upgrade', f: 'json' };
    const text = new URLSearchParams({ ...login, ...query }).toString();
    return this.#ask(kind, operation, async () => {
      const body = (await (await this.#fetch(`/rest/${operation}?${text}`)).json()) as {
        'subsonic-response': T & { status: string; error?: unknown };
      };
      const inner = body['subsonic-response'];
      if (inner.status !== 'ok') throw new Error(JSON.stringify(inner.error));
      return inner;
    });
  }

  /** Bytes of a medium, from an offset on when there is one; undefined when it failed. */
  async bytes(kind: string, songId: number, from?: number): Promise<Uint8Array | undefined> {
    const login = { u: administrator.name, p: administrator.password, v: '1.16.1', c: 'upgrade', id: String(songId) };
    const wanted = from === undefined ? 200 : 206;
    return this.#ask(kind, `download of song ${songId} from ${from ?? 0}`, async () => {
      const headers = from === undefined ? undefined : { range: `bytes=${from}-` };
      const answer = await this.#fetch(`/rest/download?${new URLSearchParams(login).toString()}`, headers);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (answer.status !== wanted) throw new Error(`status ${answer.status}, ${bytes.length} bytes`);
      return bytes;
    });
  }

  async #fetch(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const answer = await fetch(`${this.#url}${path}`, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.status >= 400) throw new Error(`status ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
    return answer;
  }

  async #ask<T>(kind: string, what: string, work: () => Promise<T>): Promise<T | undefined> {
    const startedAt = performance.now();
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    try {
      return await work();
    } catch (error) {
      const { message, cause } = error as Error;
      const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
      this.failed.push({ atMs: Math.round(startedAt - this.#startedAt), what: `${kind}: ${what}`, why });
      return undefined;
    } finally {
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt);
    }
  }
}
