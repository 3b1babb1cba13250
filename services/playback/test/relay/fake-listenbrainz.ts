import { z } from 'zod';
import { FakeServer, type ReceivedRequest, type Reply } from './fake-server.js';

const text = z.string().trim().min(1);
const track = z.object({
  artist_name: text,
  track_name: text,
  release_name: text.optional(),
  additional_info: z.record(z.string(), z.unknown()).default({}),
});
const submission = z.discriminatedUnion('listen_type', [
  z.object({ listen_type: z.literal('single'), payload: z.array(z.object({ listened_at: z.int(), track_metadata: track })).length(1) }),
  z.object({
    listen_type: z.literal('import'),
    payload: z
      .array(z.object({ listened_at: z.int(), track_metadata: track }))
      .min(1)
      .max(1000),
  }),
  z.object({ listen_type: z.literal('playing_now'), payload: z.array(z.strictObject({ track_metadata: track })).length(1) }),
]);

/** A listen that was taken. */
export interface ReceivedListen {
  readonly user: string;
  readonly listened_at: number;
  readonly track_metadata: z.infer<typeof track>;
}

const FIRST_LISTEN = 1_033_430_400;
const CLOCKS_SECONDS = 300;

/** Judges as ListenBrainz does: token, type, shape, times; a listen of the same user, time and names is one listen. */
export class FakeListenBrainz extends FakeServer {
  readonly tokens = new Map<string, string>();
  /** Every listen that was sent and taken, repetitions included. */
  readonly sent: ReceivedListen[] = [];
  readonly playing: { readonly user: string; readonly track: string }[] = [];
  /** Feedback on recordings: user, id, score. */
  readonly feedback: (readonly [string, string, number])[] = [];
  /** Rate limit headers of its answers. */
  limits = { 'x-ratelimit-remaining': '29', 'x-ratelimit-reset-in': '10' };
  /** Titles that make it answer 400. */
  readonly refuses = new Set<string>();
  /** Titles that make it answer 500. */
  readonly breaksOn = new Set<string>();

  /** Stored listens: each once. */
  listens(user: string): readonly ReceivedListen[] {
    const mine = this.sent.filter((one) => one.user === user);
    return mine.filter((one, n) => mine.findIndex((other) => keyOf(other) === keyOf(one)) === n);
  }

  titles(user: string): readonly string[] {
    return this.listens(user).map(({ track_metadata }) => track_metadata.track_name);
  }

  protected isAboutPlays({ path }: ReceivedRequest): boolean {
    return path.endsWith('/1/submit-listens');
  }

  protected answer(asked: ReceivedRequest): Reply {
    const user = this.tokens.get(/^Token (?<token>\S+)$/.exec(asked.headers.authorization ?? '')?.groups?.['token'] ?? '');
    if (asked.method === 'GET' && asked.path.endsWith('/1/validate-token'))
      return user === undefined
        ? { status: 200, json: { code: 200, message: 'Token invalid.', valid: false } }
        : { status: 200, json: { code: 200, message: 'Token valid.', valid: true, user_name: user } };
    if (asked.method === 'POST' && asked.path.endsWith('/1/feedback/recording-feedback')) return this.#feedback(user, asked.body);
    if (asked.method !== 'POST' || !this.isAboutPlays(asked)) return { status: 404, json: { code: 404, error: 'Not found' } };
    if (user === undefined) return { status: 401, json: { code: 401, error: 'Invalid authorization token.' } };
    return this.#take(user, asked.body);
  }

  #feedback(user: string | undefined, body: string): Reply {
    if (user === undefined) return { status: 401, json: { code: 401, error: 'Invalid authorization token.' } };
    const read = z.strictObject({ recording_mbid: z.guid(), score: z.int().min(-1).max(1) }).safeParse(JSON.parse(body));
    if (!read.success) return { status: 400, json: { code: 400, error: 'score can have a value of 1, 0 or -1.' } };
    this.feedback.push([user, read.data.recording_mbid, read.data.score]);
    return { status: 200, json: { status: 'ok' } };
  }

  #take(user: string, body: string): Reply {
    const read = submission.safeParse(JSON.parse(body));
    if (!read.success) return { status: 400, json: { code: 400, error: z.prettifyError(read.error) } };
    const { listen_type: type, payload } = read.data;
    const names = payload.map(({ track_metadata }) => track_metadata.track_name);
    if (names.some((name) => this.breaksOn.has(name))) return { status: 500, json: { code: 500, error: 'Internal' } };
    if (names.some((name) => this.refuses.has(name))) return { status: 400, json: { code: 400, error: 'a title is not allowed' } };
    if (type === 'playing_now') this.playing.push({ user, track: names[0] ?? '' });
    else {
      const late = Date.now() / 1000 + CLOCKS_SECONDS;
      if (payload.some(({ listened_at }) => listened_at < FIRST_LISTEN || listened_at > late))
        return { status: 400, json: { code: 400, error: 'Value for key listened_at is out of range.' } };
      this.sent.push(...payload.map((one) => ({ user, ...one })));
    }
    return { status: 200, json: { status: 'ok' }, headers: this.limits };
  }
}

const keyOf = ({ user, listened_at, track_metadata: { artist_name, track_name } }: ReceivedListen): string =>
  JSON.stringify([user, listened_at, artist_name, track_name]);
