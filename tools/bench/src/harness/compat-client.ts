import { HttpProbe, type Drained } from '../measure/http.js';
import type { StandaloneProcess } from './standalone-process.js';

/** Calls the compatibility API with an API key. */
export class CompatClient {
  readonly http: HttpProbe;
  readonly #key: string;

  constructor(server: Pick<StandaloneProcess, 'url' | 'apiKey'>) {
    this.http = new HttpProbe(server.url);
    this.#key = server.apiKey;
  }

  /** The path of a call. */
  path(endpoint: string, parameters: Readonly<Record<string, string | number>> = {}): string {
    const query = new URLSearchParams({ v: '1.16.1', c: 'bench', f: 'json', apiKey: this.#key });
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

  close(): void {
    this.http.close();
  }
}
