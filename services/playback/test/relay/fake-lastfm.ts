import { createHash } from 'node:crypto';
import { FakeServer, type ReceivedRequest, type Reply } from './fake-server.js';

/** A scrobble that was taken. */
export interface ReceivedScrobble {
  readonly user: string;
  readonly artist: string;
  readonly track: string;
  readonly timestamp: number;
  readonly params: Readonly<Record<string, string>>;
}

const DAY_SECONDS = 86_400;
const OLDEST_DAYS = 14;
const MOST = 50;

const failed = (error: number, message: string, status = 400): Reply => ({ status, json: { error, message } });

/** Judges as Last.fm does: key, signature, session, parameters, and what is ignored; a scrobble of the same user, time and names is one scrobble. */
export class FakeLastfm extends FakeServer {
  readonly apiKey = 'an-api-key';
  readonly secret = 'the shared secret ü';
  /** Names of accounts by session key. */
  readonly sessions = new Map<string, string>();
  /** Tokens that were given out, and who has allowed them. */
  readonly tokens = new Map<string, string | undefined>();
  readonly sent: ReceivedScrobble[] = [];
  readonly playing: { readonly user: string; readonly track: string }[] = [];
  /** Loves of tracks: user, track, method. */
  readonly loves: (readonly [string, string, string])[] = [];
  /** Codes with which titles are ignored. */
  readonly ignores = new Map<string, number>();

  scrobbles(user: string): readonly ReceivedScrobble[] {
    const mine = this.sent.filter((one) => one.user === user);
    return mine.filter((one, n) => mine.findIndex((other) => keyOf(other) === keyOf(one)) === n);
  }

  titles(user: string): readonly string[] {
    return this.scrobbles(user).map(({ track }) => track);
  }

  protected isAboutPlays({ body }: ReceivedRequest): boolean {
    return body.includes('method=track.');
  }

  protected answer({ method, body, headers }: ReceivedRequest): Reply {
    if (method !== 'POST' || !headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
      return failed(3, 'Invalid Method', 405);
    const params = Object.fromEntries(new URLSearchParams(body));
    const { api_sig: signature, format, ...signed } = params;
    if (format !== 'json') return failed(5, 'Invalid format');
    if (params['api_key'] !== this.apiKey) return failed(10, 'Invalid API key', 403);
    if (signature !== this.#signature(signed)) return failed(13, 'Invalid method signature supplied', 403);
    switch (params['method']) {
      case 'auth.getToken':
        return this.#newToken();
      case 'auth.getSession':
        return this.#session(params['token'] ?? '');
      case 'track.scrobble':
        return this.#withSession(params, (user) => this.#scrobble(user, params));
      case 'track.love':
      case 'track.unlove':
        return this.#withSession(params, (user) => this.#love(user, params));
      case 'track.updateNowPlaying':
        return this.#withSession(params, (user) => this.#nowPlaying(user, params));
      default:
        return failed(3, 'Invalid Method - No method with that name in this package');
    }
  }

  #signature(params: Readonly<Record<string, string>>): string {
    // Written differently from the adapter, by the words of the documentation.
    let text = '';
    const names = Object.keys(params);
    names.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    for (const name of names) text += `${name}${params[name]}`;
    return createHash('md5')
      .update(Buffer.from(text + this.secret, 'utf8'))
      .digest('hex');
  }

  #newToken(): Reply {
    const token = `token-${this.tokens.size + 1}`;
    this.tokens.set(token, undefined);
    return { status: 200, json: { token } };
  }

  #session(token: string): Reply {
    if (!this.tokens.has(token)) return failed(4, 'Invalid authentication token supplied', 403);
    const user = this.tokens.get(token);
    if (user === undefined) return failed(14, 'Unauthorized Token - This token has not been authorized', 403);
    this.tokens.delete(token);
    const key = `session-of-${user}-${this.sessions.size + 1}`;
    this.sessions.set(key, user);
    return { status: 200, json: { session: { name: user, key, subscriber: 0 } } };
  }

  #withSession(params: Readonly<Record<string, string>>, then: (user: string) => Reply): Reply {
    const user = this.sessions.get(params['sk'] ?? '');
    return user === undefined ? failed(9, 'Invalid session key - Please re-authenticate', 403) : then(user);
  }

  #love(user: string, { method = '', artist, track }: Readonly<Record<string, string>>): Reply {
    if (!artist || !track) return failed(6, 'Invalid parameters');
    this.loves.push([user, track, method]);
    return { status: 200, json: {} };
  }

  #nowPlaying(user: string, { artist, track }: Readonly<Record<string, string>>): Reply {
    if (!artist || !track) return failed(6, 'Invalid parameters');
    this.playing.push({ user, track });
    return { status: 200, json: { nowplaying: { track: { '#text': track }, ignoredMessage: { code: '0', '#text': '' } } } };
  }

  #scrobble(user: string, params: Readonly<Record<string, string>>): Reply {
    const count = Object.keys(params).filter((name) => name.startsWith('artist[')).length;
    if (count === 0 || count > MOST) return failed(6, 'Invalid parameters');
    const answers = Array.from({ length: count }, (_, n) => {
      const of = (name: string): string => params[`${name}[${n}]`] ?? '';
      const [artist, track, timestamp] = [of('artist'), of('track'), Number(of('timestamp'))];
      const code = this.#codeOf(track, timestamp);
      if (code === 0) this.sent.push({ user, artist, track, timestamp, params });
      return {
        artist: { '#text': artist },
        track: { '#text': track },
        timestamp: String(timestamp),
        ignoredMessage: { code: String(code), '#text': '' },
      };
    });
    // One alone is no list, as XML made into JSON has it.
    const accepted = answers.filter(({ ignoredMessage }) => ignoredMessage.code === '0').length;
    const scrobble = answers.length === 1 ? answers[0] : answers;
    return { status: 200, json: { scrobbles: { '@attr': { accepted, ignored: count - accepted }, scrobble } } };
  }

  #codeOf(track: string, timestamp: number): number {
    const now = Date.now() / 1000;
    if (!Number.isInteger(timestamp) || timestamp < now - OLDEST_DAYS * DAY_SECONDS) return 3;
    if (timestamp > now + DAY_SECONDS) return 4;
    return this.ignores.get(track) ?? 0;
  }
}

const keyOf = ({ user, timestamp, artist, track }: ReceivedScrobble): string => JSON.stringify([user, timestamp, artist, track]);
