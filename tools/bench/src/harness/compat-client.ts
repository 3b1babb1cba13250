import { HttpProbe, type Drained } from '../measure/http.js';

/** A server with an account on it: an API key, or a name and a password where the server knows no keys. */
export type CompatServer = { readonly url: string } & ({ readonly apiKey: string } | { readonly user: string; readonly password: string });

/** Calls the compatibility API. */
export class CompatClient {
  readonly http: HttpProbe;
  readonly #credentials: Readonly<Record<string, string>>;

  constructor(server: CompatServer) {
    this.http = new HttpProbe(server.url);
    this.#credentials = 'apiKey' in server ? { apiKey: server.apiKey } : { u: server.user, p: server.password };
  }

  /** The path of a call. */
  path(endpoint: string, parameters: Readonly<Record<string, string | number>> = {}): string {
    const query = new URLSearchParams({ v: '1.16.1', c: 'bench', f: 'json', ...this.#credentials });
    for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
    return `/rest/${endpoint}.view?${query.toString()}`;
  }

  /** Makes a call and throws its body away. @throws Error when the answer is not "ok". */
  async call(endpoint: string, parameters: Readonly<Record<string, string | number>> = {}): Promise<Drained> {
    const answer = await this.http.get(this.path(endpoint, parameters));
    if (answer.status !== 200 || !/"status"\s*:\s*"ok"/.test(answer.head))
      throw new Error(`${endpoint} answered ${answer.status}: ${answer.head.slice(0, 300)}`);
    return answer;
  }

  /** Makes a call and answers the JSON within its envelope. */
  async json<T>(endpoint: string, parameters: Readonly<Record<string, string | number>> = {}): Promise<T> {
    const answer = await this.http.json<{ 'subsonic-response': T & { status: string; error?: { message?: string } } }>(
      this.path(endpoint, parameters),
    );
    const body = answer['subsonic-response'];
    if (body.status !== 'ok') throw new Error(`${endpoint} failed: ${body.error?.message ?? 'no reason given'}`);
    return body;
  }

  close(): void {
    this.http.close();
  }
}
