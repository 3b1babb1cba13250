import { given } from '@continuo/contracts';
import type { OutboundClient } from '@continuo/chassis';
import { z } from 'zod';
import type { KnownAccount, Listen, LovedSong, RelayTarget, Scrobbler, Submission } from '../listen.js';
import { ask, commonFault, isLater, pauseOf, spentPauseOf, type RelayAnswer } from '../sending/relay-answer.js';

/** Options of the services' adapters. */
export interface AdapterOptions {
  readonly outbound: OutboundClient;
  readonly timeoutMs: number;
  readonly version: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The service takes a thousand; a smaller part is sent again sooner when something breaks. */
const MAX_LISTENS = 100;
const SUBMIT = '/1/submit-listens';
const FEEDBACK = '/1/feedback/recording-feedback';
const OK = 200;
const MULTIPLE = 300;
const BAD_REQUEST = 400;
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const TOO_LARGE = 413;
const MAX_PLAYER = 100;
const MAX_REASON = 300;

const additionalInfo = (listen: Listen, version: string): Record<string, unknown> => ({
  media_player: listen.client === '' ? 'continuo' : listen.client.slice(0, MAX_PLAYER),
  submission_client: 'continuo',
  submission_client_version: version,
  duration_ms: listen.durationMs,
  ...(listen.track ? { tracknumber: String(listen.track) } : {}),
  ...(listen.disk ? { discnumber: listen.disk } : {}),
  ...given({ isrc: listen.isrc, recording_mbid: listen.recordingMbid, track_mbid: listen.trackMbid, release_mbid: listen.releaseMbid }),
  ...(listen.artistMbids.length === 0 ? {} : { artist_mbids: listen.artistMbids }),
});

const trackOf = (listen: Listen, version: string): Record<string, unknown> => ({
  artist_name: listen.artist,
  track_name: listen.title,
  ...(listen.album === undefined ? {} : { release_name: listen.album }),
  additional_info: additionalInfo(listen, version),
});

const MS_PER_SECOND = 1000;

const fault = z.object({ error: z.string() });
const done = z.object({ status: z.literal('ok') });
const validity = z.object({ valid: z.boolean(), user_name: z.string().optional() });

const reasonOf = ({ status, json }: RelayAnswer): string => {
  const said = fault.safeParse(json);
  return said.success ? said.data.error.slice(0, MAX_REASON) : `it answered ${status}`;
};

/** Services that speak the protocol of ListenBrainz: `POST /1/submit-listens` with a token. */
export class ListenBrainz implements Scrobbler {
  readonly maxListens = MAX_LISTENS;
  readonly maxAgeMs = undefined;

  constructor(private readonly options: AdapterOptions) {}

  submit(target: RelayTarget, listens: readonly Listen[], signal?: AbortSignal): Promise<Submission> {
    const payload = listens.map((listen) => ({
      listened_at: Math.floor(listen.playedAtMs / MS_PER_SECOND),
      track_metadata: trackOf(listen, this.options.version),
    }));
    return this.#send(target, SUBMIT, { listen_type: listens.length === 1 ? 'single' : 'import', payload }, signal);
  }

  nowPlaying(target: RelayTarget, listen: Listen, signal?: AbortSignal): Promise<Submission> {
    const payload = [{ track_metadata: trackOf(listen, this.options.version) }];
    return this.#send(target, SUBMIT, { listen_type: 'playing_now', payload }, signal);
  }

  /** It knows recordings by their MusicBrainz ids alone; other servers with its protocol may know no such thing. */
  async love(target: RelayTarget, { recordingMbid, loved }: LovedSong, signal?: AbortSignal): Promise<Submission> {
    if (recordingMbid === undefined) return { kind: 'refused', reason: 'without a MusicBrainz id' };
    const submission = await this.#send(target, FEEDBACK, { recording_mbid: recordingMbid, score: loved ? 1 : 0 }, signal);
    return submission.kind === 'later' && submission.status === NOT_FOUND ? { kind: 'refused', reason: submission.reason } : submission;
  }

  /** Account of the token at the service; a sentence for an invalid token, or when the server cannot be asked. */
  async accountOf({ baseUrl, credential }: RelayTarget): Promise<KnownAccount | { readonly fault: string; readonly isForGood: boolean }> {
    const { outbound, timeoutMs, now } = this.options;
    const headers = { authorization: `Token ${credential}`, accept: 'application/json' };
    const answer = await ask(outbound, { url: `${baseUrl}/1/validate-token`, headers, timeoutMs });
    if (isLater(answer)) return { fault: answer.reason, isForGood: answer.reason.startsWith('address-') };
    const common = commonFault(answer, now());
    if (common) return { fault: common.reason, isForGood: false };
    const said = validity.safeParse(answer.json);
    if (answer.status === UNAUTHORIZED || (said.success && !said.data.valid))
      return { fault: 'it does not know this token', isForGood: true };
    if (!said.success) return { fault: 'it does not answer like ListenBrainz', isForGood: true };
    return { name: said.data.user_name ?? '', credential };
  }

  async #send(
    { baseUrl, credential }: RelayTarget,
    path: string,
    body: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Submission> {
    const { outbound, timeoutMs } = this.options;
    const answer = await ask(outbound, {
      url: `${baseUrl}${path}`,
      method: 'POST',
      headers: { authorization: `Token ${credential}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      timeoutMs,
      ...(signal ? { signal } : {}),
    });
    const payload = body['payload'];
    return isLater(answer) ? answer : this.#judged(answer, Array.isArray(payload) ? payload.length : 1);
  }

  #judged(answer: RelayAnswer, count: number): Submission {
    const { status, json } = answer;
    const common = commonFault(answer, this.options.now());
    if (common) return common;
    if (status === UNAUTHORIZED) return { kind: 'unauthorized', reason: reasonOf(answer) };
    if (status === BAD_REQUEST || status === TOO_LARGE) return { kind: 'refused', reason: reasonOf(answer) };
    if (status < OK || status >= MULTIPLE)
      return { kind: 'later', reason: reasonOf(answer), retryAfterMs: pauseOf(answer, this.options.now()), status };
    // Something else that answers there, such as the page of a provider, has taken nothing.
    if (!done.safeParse(json).success) return { kind: 'later', reason: 'its answer cannot be read', isSuspect: true };
    return { kind: 'taken', outcomes: Array.from({ length: count }, () => 'taken' as const), pauseMs: spentPauseOf(answer) };
  }
}
