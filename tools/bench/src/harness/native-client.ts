import { z } from 'zod';
import { HttpProbe, type Drained } from '../measure/http.js';
import type { StandaloneProcess } from './standalone-process.js';

/** Calls the native API within one session. */
export class NativeClient {
  readonly http: HttpProbe;
  readonly #token: string;

  private constructor(http: HttpProbe, token: string) {
    this.http = http;
    this.#token = token;
  }

  /** Logs in with the administrator's key. @throws Error when the login is refused. */
  static async login(server: Pick<StandaloneProcess, 'url' | 'apiKey'>): Promise<NativeClient> {
    const http = new HttpProbe(server.url);
    const answer = await http.json(`/server/json.server.php?action=handshake&version=8.0.0&auth=${server.apiKey}`);
    const parsed = z.object({ auth: z.string() }).safeParse(answer);
    if (!parsed.success) throw new Error(`the handshake was refused: ${JSON.stringify(answer)}`);
    return new NativeClient(http, parsed.data.auth);
  }

  /** The path of a call. */
  path(action: string, parameters: Readonly<Record<string, string | number>> = {}, format: 'json' | 'xml' = 'json'): string {
    const query = new URLSearchParams({ action, auth: this.#token });
    for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
    return `/server/${format}.server.php?${query.toString()}`;
  }

  /** Makes a call and throws its body away. @throws Error when the answer is an error. */
  async call(
    action: string,
    parameters: Readonly<Record<string, string | number>> = {},
    format: 'json' | 'xml' = 'json',
  ): Promise<Drained> {
    const answer = await this.http.get(this.path(action, parameters, format));
    // An error comes with status 200 in the envelope; a list never begins with one.
    if (answer.status !== 200 || /^\s*(\{\s*"error"|<\?xml[^>]*>\s*<root>\s*<error)/.test(answer.head)) {
      throw new Error(`${action} answered ${answer.status}: ${answer.head.slice(0, 300)}`);
    }
    return answer;
  }

  /** Makes a call and answers its JSON. */
  json<T>(action: string, parameters: Readonly<Record<string, string | number>> = {}): Promise<T> {
    return this.http.json<T>(this.path(action, parameters));
  }

  close(): void {
    this.http.close();
  }
}
