import { z } from 'zod';
import type { KnownAccount, Listen, ListenOutcome, LovedSong, RelayTarget, Scrobbler, Submission } from '../listen.js';
import type { AdapterOptions } from '../listenbrainz/listenbrainz.adapter.js';
import { ask, commonFault, isLater, pauseOf, type RelayAnswer } from '../sending/relay-answer.js';
import { lastfmSignature, type LastfmParams } from './lastfm-signature.js';

/** API keys that Last.fm issued to the server's operator. */
export interface LastfmKeys {
  readonly apiKey: string;
  readonly secret: string;
}

/** A request that came to nothing: for good, or until later. */
export interface LastfmFault {
  readonly fault: string;
  readonly isForGood: boolean;
}

/** Listens of one request (track.scrobble). */
const MAX_LISTENS = 50;
const DAY_MS = 86_400_000;
const MAX_AGE_MS = 14 * DAY_MS;
const MS_PER_SECOND = 1000;
const HOUR_MS = 3_600_000;
/** Codes of refusals that the documentation of track.scrobble and of the authentication names. */
const UNAUTHORIZED: ReadonlySet<number> = new Set([4, 9]);
/** The key of the server is wrong or suspended, or its secret is: nothing an account could do about it. */
const SERVERS_OWN: ReadonlySet<number> = new Set([10, 13, 26]);
const OFTEN = 29;
const REFUSED: ReadonlySet<number> = new Set([6, 7, 14, 15]);
/** Of an ignored message: the account has had its day's share. */
const DAILY_LIMIT = 5;

const IGNORED: Readonly<Record<number, string>> = {
  1: 'artist ignored',
  2: 'track ignored',
  3: 'timestamp too old',
  4: 'timestamp too new',
};

const numeric = z.union([z.number(), z.string().regex(/^\d{1,6}$/)]).transform(Number);
const failure = z.object({ error: numeric, message: z.string().default('') });
const scrobble = z.object({ ignoredMessage: z.object({ code: numeric }).optional() });
const scrobbles = z.object({ scrobbles: z.object({ scrobble: z.union([z.array(scrobble), scrobble.transform((one) => [one])]) }) });
const playing = z.object({ nowplaying: z.object({}) });
const token = z.object({ token: z.string().min(1) });
const session = z.object({ session: z.object({ name: z.string(), key: z.string().min(1) }) });

const trackParams = (listen: Listen, at: string): Record<string, string> => ({
  [`artist${at}`]: listen.artist,
  [`track${at}`]: listen.title,
  ...(listen.album === undefined ? {} : { [`album${at}`]: listen.album }),
  ...(listen.albumArtist === undefined || listen.albumArtist === listen.artist ? {} : { [`albumArtist${at}`]: listen.albumArtist }),
  ...(listen.track ? { [`trackNumber${at}`]: String(listen.track) } : {}),
  ...(listen.recordingMbid === undefined ? {} : { [`mbid${at}`]: listen.recordingMbid }),
  ...(listen.durationMs > 0 ? { [`duration${at}`]: String(Math.round(listen.durationMs / MS_PER_SECOND)) } : {}),
});

const faultOf = (code: number, message: string): Submission => {
  const reason = `error ${code}${message === '' ? '' : `: ${message.slice(0, 200)}`}`;
  if (UNAUTHORIZED.has(code)) return { kind: 'unauthorized', reason };
  if (REFUSED.has(code)) return { kind: 'refused', reason };
  if (SERVERS_OWN.has(code)) return { kind: 'later', reason: `${reason} (the server's own key)`, retryAfterMs: HOUR_MS };
  return { kind: 'later', reason, ...(code === OFTEN ? { retryAfterMs: 60_000 } : {}) };
};

/** Services that speak the protocol of Last.fm, version 2.0: signed calls with a session key. The base address is that of the one entry. */
export class Lastfm implements Scrobbler {
  readonly maxListens = MAX_LISTENS;
  readonly maxAgeMs = MAX_AGE_MS;

  constructor(
    private readonly options: AdapterOptions,
    private readonly keys: LastfmKeys,
  ) {}

  async submit({ baseUrl, credential }: RelayTarget, listens: readonly Listen[], signal?: AbortSignal): Promise<Submission> {
    const tracks = listens.flatMap((listen, n) =>
      Object.entries({ ...trackParams(listen, `[${n}]`), [`timestamp[${n}]`]: String(Math.floor(listen.playedAtMs / MS_PER_SECOND)) }),
    );
    const answer = await this.#call(baseUrl, { method: 'track.scrobble', sk: credential, ...Object.fromEntries(tracks) }, signal);
    if ('kind' in answer) return answer;
    const read = scrobbles.safeParse(answer.json);
    const found = read.success ? read.data.scrobbles.scrobble : [];
    if (found.length !== listens.length) return { kind: 'later', reason: 'its answer cannot be read', isSuspect: true };
    return judged(found.map(({ ignoredMessage }) => ignoredMessage?.code ?? 0));
  }

  async nowPlaying({ baseUrl, credential }: RelayTarget, listen: Listen, signal?: AbortSignal): Promise<Submission> {
    const answer = await this.#call(baseUrl, { method: 'track.updateNowPlaying', sk: credential, ...trackParams(listen, '') }, signal);
    if ('kind' in answer) return answer;
    if (!playing.safeParse(answer.json).success) return { kind: 'later', reason: 'its answer cannot be read' };
    return { kind: 'taken', outcomes: ['taken'] };
  }

  async love({ baseUrl, credential }: RelayTarget, { artist, title, loved }: LovedSong, signal?: AbortSignal): Promise<Submission> {
    const answer = await this.#call(
      baseUrl,
      { method: loved ? 'track.love' : 'track.unlove', sk: credential, artist, track: title },
      signal,
    );
    if ('kind' in answer) return answer;
    // There is nothing to be read in it, as long as it is no page of somebody else.
    if (typeof answer.json !== 'object') return { kind: 'later', reason: 'its answer cannot be read' };
    return { kind: 'taken', outcomes: ['taken'] };
  }

  /** A token that its owner may allow this server to use. */
  async newToken(baseUrl: string): Promise<{ readonly token: string } | LastfmFault> {
    const answer = await this.#call(baseUrl, { method: 'auth.getToken' });
    if ('kind' in answer) return asFault(answer);
    const read = token.safeParse(answer.json);
    return read.success ? read.data : { fault: 'its answer cannot be read', isForGood: false };
  }

  /** The account that has allowed a token, and its session key, which does not end by itself. */
  async accountOf(baseUrl: string, allowed: string): Promise<KnownAccount | LastfmFault> {
    const answer = await this.#call(baseUrl, { method: 'auth.getSession', token: allowed });
    if ('kind' in answer) return tokenFault(answer);
    const read = session.safeParse(answer.json);
    if (!read.success) return { fault: 'its answer cannot be read', isForGood: false };
    return { name: read.data.session.name, credential: read.data.session.key };
  }

  async #call(url: string, given: LastfmParams, signal?: AbortSignal): Promise<RelayAnswer | Exclude<Submission, { kind: 'taken' }>> {
    const { outbound, timeoutMs, now } = this.options;
    const params = { ...given, api_key: this.keys.apiKey };
    const body = new URLSearchParams({ ...params, api_sig: lastfmSignature(params, this.keys.secret), format: 'json' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', accept: 'application/json' };
    const answer = await ask(outbound, { url, method: 'POST', headers, body, timeoutMs, ...(signal ? { signal } : {}) });
    if (isLater(answer)) return answer;
    // The code says more than the status that comes with it.
    const failed = failure.safeParse(answer.json);
    const pause = pauseOf(answer, now());
    if (failed.success) return withPause(faultOf(failed.data.error, failed.data.message), pause);
    const common = commonFault(answer, now());
    if (common) return common;
    return answer.status === 200 ? answer : { kind: 'later', reason: `it answered ${answer.status}`, retryAfterMs: pause };
  }
}

const withPause = (submission: Submission, pause: number | undefined): Exclude<Submission, { kind: 'taken' }> => {
  const failed = submission as Exclude<Submission, { kind: 'taken' }>;
  return failed.kind === 'later' && pause !== undefined ? { ...failed, retryAfterMs: Math.max(failed.retryAfterMs ?? 0, pause) } : failed;
};

const asFault = (answer: Exclude<Submission, { kind: 'taken' }>): LastfmFault => ({
  fault: answer.reason,
  isForGood: answer.kind !== 'later',
});

/** Words for what people do wrong with a token. */
const TOKEN_FAULTS: readonly (readonly [start: string, fault: string])[] = [
  ['error 14', 'this server has not been allowed there yet'],
  ['error 15', 'that took too long: begin again'],
  ['error 4', 'it does not know this token: begin again'],
];

const tokenFault = (answer: Exclude<Submission, { kind: 'taken' }>): LastfmFault => {
  const known = TOKEN_FAULTS.find(([start]) => answer.reason.startsWith(start));
  return known ? { fault: known[1], isForGood: true } : asFault(answer);
};

/** Maps the codes of scrobbles to outcomes. A spent daily limit is no outcome: the scrobbles behind it come again later, and accepted ones are recognised by their time. */
const judged = (codes: readonly number[]): Submission => {
  if (codes.includes(DAILY_LIMIT)) return { kind: 'later', reason: 'the account has had its share of the day', retryAfterMs: HOUR_MS };
  const outcomes = codes.map((code): ListenOutcome => (code === 0 ? 'taken' : { ignored: IGNORED[code] ?? `ignored, code ${code}` }));
  return { kind: 'taken', outcomes };
};
