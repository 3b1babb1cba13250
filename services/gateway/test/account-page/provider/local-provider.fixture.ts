import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Public address of the server in specs. */
export const PUBLIC_URL = 'https://music.example/library';
/** Redirect URI of the provider. */
export const RETURN_URL = `${PUBLIC_URL}/account/provider-return`;
/** The server's own credentials at the provider. */
export const CLIENT = { id: 'continuo', secret: 'the secret of the server at the provider' } as const;

/** Claims of the provider by subject. */
export type People = Record<string, Readonly<Record<string, unknown>>>;

/** A certified OpenID provider on a loopback port, with a log-in page that takes any password. */
export class LocalProvider {
  /** Changes what the provider answers to whoever shows a code: what a provider would say that is not the one of its keys. */
  tamper: (tokens: Record<string, string>) => Record<string, string> = (tokens) => tokens;

  /** ID tokens that it gave out. */
  readonly idTokens: string[] = [];
  /** Tokens by which it told that somebody has signed out. */
  readonly logoutTokens: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(people: People): Promise<LocalProvider> {
    let handle: ReturnType<Provider['callback']> | undefined;
    const server = createServer((request, response) => {
      if (request.url === '/token') {
        const end = response.end.bind(response);
        response.end = ((body: string | Buffer) => {
          const tokens = JSON.parse(String(body)) as Record<string, string>;
          made?.idTokens.push(tokens['id_token'] ?? '');
          const changed = JSON.stringify(made?.tamper(tokens));
          response.setHeader('content-length', Buffer.byteLength(changed));
          return end(changed);
        }) as typeof response.end;
      }
      void handle?.(request, response);
    });
    let made: LocalProvider | undefined;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [RETURN_URL],
          post_logout_redirect_uris: [`${PUBLIC_URL}/account/login?out=1`],
          backchannel_logout_uri: `${PUBLIC_URL}/account/provider-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email', 'email_verified'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people[sub] }) }),
      // It tells nobody else, and would not call an address of this machine.
      fetch: async (_url, options) => {
        made?.logoutTokens.push((options?.body as URLSearchParams | undefined)?.get('logout_token') ?? '');
        return new Response();
      },
      cookies: { keys: ['a key of the spec'] },
      features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    });
    handle = provider.callback();
    made = new LocalProvider(server, issuer);
    return made;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Somebody at the provider, in a browser that knows nothing yet. */
  visitor(subject: string): Visitor {
    return new Visitor((page): Record<string, string> | undefined => {
      const prompt = /name="prompt" value="(?<prompt>\w+)"/.exec(page)?.groups?.['prompt'];
      const xsrf = /name="xsrf" value="(?<xsrf>[^"]+)"/.exec(page)?.groups?.['xsrf'];
      if (prompt === undefined && xsrf === undefined) return undefined;
      return xsrf === undefined ? { prompt: prompt ?? '', login: subject, password: 'any' } : { xsrf, logout: 'yes' };
    });
  }
}

/** Somebody who goes through the provider's own pages. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  /** `fill` answers the fields of the form of a page; undefined when it has none to be filled in. */
  constructor(private readonly fill: (page: string) => Record<string, string> | undefined) {}

  /** Logs in and agrees, and answers where the provider sends the browser back to. */
  async comeBackFrom(start: string): Promise<URL> {
    let url = start;
    for (let steps = 0; steps < 12; steps += 1) {
      if (url.startsWith(PUBLIC_URL)) return new URL(url);
      const page = await this.request(url);
      const location = page.headers.get('location');
      if (location !== null) url = new URL(location, url).href;
      else url = await this.submit(url, await page.text());
    }
    throw new Error('the provider leads nowhere');
  }

  /** Signs out at the provider itself, and agrees to it. */
  async signOutAt(address: string): Promise<void> {
    await this.sent(address, await this.look(address));
  }

  /** The first page that an address leads to. */
  async look(start: string): Promise<string> {
    const page = await this.request(start);
    return page.text();
  }

  /** Sends the form of a page as a person would, and answers where it leads. */
  private async submit(url: string, text: string): Promise<string> {
    const answer = await this.sent(url, text);
    // A form that was not taken is shown again.
    if (answer.headers.get('location') === null) throw new Error(`the provider refuses: ${await answer.text()}`);
    return new URL(answer.headers.get('location') ?? '', url).href;
  }

  private async sent(url: string, text: string): Promise<Response> {
    const action = /action="(?<action>[^"]+)"/.exec(text)?.groups?.['action'] ?? url;
    const fields = this.fill(text);
    if (fields === undefined) throw new Error(`no form at ${url}: ${text.slice(0, 1000)}`);
    return this.request(new URL(action.replaceAll('&amp;', '&'), url).href, new URLSearchParams(fields));
  }

  private async request(url: string, body?: URLSearchParams): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { method: body ? 'POST' : 'GET', redirect: 'manual', headers: { cookie }, ...(body ? { body } : {}) });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}
