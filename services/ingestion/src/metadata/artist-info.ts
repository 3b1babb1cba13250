import type { CommandClient } from '@continuo/chassis';
import { artistId, MAX_FOUND_SONGS, recordArtistInfo, Rejection, type LogPosition, type MessageContext } from '@continuo/contracts';
import type { ArtistQuery, PluginHost } from '@continuo/plugins';
import type { FactsSubjects } from './facts-subjects.reads.js';
import { mbidIn, mergedArtistInfo, topSongsOf } from './read-facts.js';

/** What asking about artists needs. */
export interface ArtistInfoTools {
  readonly plugins: () => Promise<PluginHost>;
  readonly subjects: FactsSubjects;
  readonly commands: CommandClient;
  readonly now: () => number;
}

/** What came of it. */
export interface ArtistInfoOutcome {
  readonly result: { readonly isEnabled: boolean; readonly isKnown: boolean };
  readonly positions: readonly LogPosition[];
}

/** Biographies change seldom. */
const FRESH_MS = 30 * 86_400_000;
/** What some service could not be asked for is asked again sooner. */
const INCOMPLETE_MS = 86_400_000;
/** One of whom the same was said again has an old record; it is asked about once in so long. */
const ASKED_MS = 6 * 3_600_000;
const MAX_REMEMBERED = 20_000;
/** Services behind one another, each with its turns: nobody who only looks at an artist waits so long. */
const ASKING_MS = 20_000;

const unchanged = (isEnabled: boolean): ArtistInfoOutcome => ({ result: { isEnabled, isKnown: false }, positions: [] });

/** Asks plug-ins about artists and has the library record what they say. */
export class ArtistInfo {
  readonly #underWay = new Map<number, Promise<ArtistInfoOutcome>>();
  readonly #askedAtMs = new Map<number, number>();

  constructor(private readonly tools: ArtistInfoTools) {}

  /**
   * @param isWanted somebody has asked for it by name; else it is done only when nobody has for long
   * @throws Rejection `artist.not-found`
   */
  async refresh(id: number, isWanted: boolean, context: MessageContext): Promise<ArtistInfoOutcome> {
    const host = await this.tools.plugins();
    if (host.having('metadata', 'artist').length === 0) return unchanged(false);
    if (!isWanted && !(await this.#isDue(id))) return unchanged(true);
    const present = this.#underWay.get(id) ?? this.#ask(host, id, context);
    this.#underWay.set(id, present);
    try {
      return await present;
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #isDue(id: number): Promise<boolean> {
    const nowMs = this.tools.now();
    if (nowMs - (this.#askedAtMs.get(id) ?? 0) < ASKED_MS) return false;
    const asked = await this.tools.subjects.artistAsked(id);
    return asked === undefined || nowMs - asked.atMs >= (asked.isComplete ? FRESH_MS : INCOMPLETE_MS);
  }

  async #ask(host: PluginHost, id: number, context: MessageContext): Promise<ArtistInfoOutcome> {
    const artist = await this.tools.subjects.artist(id);
    if (!artist) throw new Rejection('artist.not-found', undefined, String(id));
    this.#remember(id);
    const { answers, failed } = await answersOf(host, artist);
    const known: ArtistQuery = { ...artist, mbid: artist.mbid ?? mbidIn(answers) };
    const question = { part: 'metadata', function: 'topSongs', query: { ...known, count: MAX_FOUND_SONGS }, timeoutMs: ASKING_MS } as const;
    const songs = await host.askFirst(question, topSongsOf);
    const everyone = songs && !answers.some(({ plugin }) => plugin === songs.plugin) ? [...answers, { ...songs, answer: {} }] : answers;
    const info = mergedArtistInfo(everyone, songs?.answer ?? [], failed.length === 0);
    const isKnown = info.summary !== null || info.similar.length > 0;
    // What was known before counts more than what only some services say now.
    const keepsOld = failed.length > 0 && (everyone.length === 0 || (await this.tools.subjects.artistAsked(id)) !== undefined);
    if (keepsOld) return { result: { isEnabled: true, isKnown }, positions: [] };
    const { positions } = await this.tools.commands.send(recordArtistInfo, { artistId: artistId.parse(id), ...info }, context);
    return { result: { isEnabled: true, isKnown }, positions };
  }

  #remember(id: number): void {
    this.#askedAtMs.delete(id);
    this.#askedAtMs.set(id, this.tools.now());
    const oldest = this.#askedAtMs.size > MAX_REMEMBERED ? this.#askedAtMs.keys().next().value : undefined;
    if (oldest !== undefined) this.#askedAtMs.delete(oldest);
  }
}

/** Some know artists by their MusicBrainz id alone: when only an answer tells it, those that had none are asked again. */
const answersOf = async (host: PluginHost, artist: ArtistQuery): ReturnType<PluginHost['askEach']> => {
  const ask = (query: ArtistQuery) => host.askEach({ part: 'metadata', function: 'artist', query, timeoutMs: ASKING_MS });
  const first = await ask(artist);
  const mbid = artist.mbid ?? mbidIn(first.answers);
  const names = host.having('metadata', 'artist').map(({ name }) => name);
  if (artist.mbid !== undefined || mbid === undefined || first.answers.length === names.length) return first;
  const later = await ask({ ...artist, mbid });
  const both = [...first.answers, ...later.answers];
  const answers = names.flatMap((name) => both.find(({ plugin }) => plugin === name) ?? []);
  return { answers, failed: later.failed.filter((name) => !answers.some(({ plugin }) => plugin === name)) };
};
