import type { CommandClient } from '@continuo/chassis';
import {
  artistId,
  MAX_FOUND_ARTISTS,
  MAX_FOUND_SONGS,
  recordArtistInfo,
  Rejection,
  type FoundArtistInfo,
  type LogPosition,
  type MessageContext,
} from '@continuo/contracts';
import type { ArtistQuery, PluginAnswer, PluginHost } from '@continuo/plugins';
import type { ArtistAsked, FactsSubjects } from './facts-subjects.reads.js';
import { mbidIn, mergedArtistInfo, findTopSongs } from './read-facts.js';

/** Dependencies of {@link ArtistInfo}. */
export interface ArtistInfoDependencies {
  readonly plugins: () => Promise<PluginHost>;
  readonly subjects: FactsSubjects;
  readonly commands: CommandClient;
  readonly now: () => number;
  /** Time after which the answers that have come are recorded without the others, ms. */
  readonly soonMs?: number;
}

/** Outcome of the request. */
export interface ArtistInfoOutcome {
  readonly result: { readonly isEnabled: boolean; readonly isKnown: boolean };
  readonly positions: readonly LogPosition[];
}

/** Biographies change seldom. */
const FRESH_MS = 30 * 86_400_000;
/** Incomplete answers are refreshed sooner. */
const INCOMPLETE_MS = 86_400_000;
/** One of whom the same was said again has an old record; it is asked about once in so long. */
const ASKED_MS = 6 * 3_600_000;
const MAX_REMEMBERED = 20_000;
/** Services behind one another, each with its turns: nobody who only looks at an artist waits so long. */
const ASKING_MS = 20_000;
/** The first request about an artist waits a little longer than this. */
const SOON_MS = 2000;

const unchanged = (isEnabled: boolean): ArtistInfoOutcome => ({ result: { isEnabled, isKnown: false }, positions: [] });

/** Asks plug-ins about artists and has the library record what they say. */
export class ArtistInfo {
  readonly #underWay = new Map<number, Promise<ArtistInfoOutcome>>();
  readonly #askedAtMs = new Map<number, number>();

  constructor(private readonly deps: ArtistInfoDependencies) {}

  /**
   * @param isWanted somebody has asked for it by name; else it is done only when nobody has for long
   * @throws Rejection `artist.not-found`
   */
  async refresh(id: number, isWanted: boolean, context: MessageContext): Promise<ArtistInfoOutcome> {
    const host = await this.deps.plugins();
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
    const nowMs = this.deps.now();
    if (nowMs - (this.#askedAtMs.get(id) ?? 0) < ASKED_MS) return false;
    const asked = await this.deps.subjects.artistAsked(id);
    return asked === undefined || nowMs - asked.atMs >= (asked.isComplete ? FRESH_MS : INCOMPLETE_MS);
  }

  async #ask(host: PluginHost, id: number, context: MessageContext): Promise<ArtistInfoOutcome> {
    const artist = await this.deps.subjects.artist(id);
    if (!artist) throw new Rejection('artist.not-found', undefined, String(id));
    this.#remember(id);
    const before = await this.deps.subjects.artistAsked(id);
    const early = this.#early(id, before, context);
    const { answers, failed } = await answersOf(host, artist, early.hear);
    const known: ArtistQuery = { ...artist, mbid: artist.mbid ?? mbidIn(answers) };
    const question = { part: 'metadata', function: 'topSongs', query: { ...known, count: MAX_FOUND_SONGS }, timeoutMs: ASKING_MS } as const;
    const withoutSongs: string[] = [];
    const songs = await host.askFirst(question, findTopSongs, (name) => withoutSongs.push(name));
    const missing = [...failed, ...(songs ? [] : withoutSongs)];
    const recorded = await early.end();
    const everyone = songs && !answers.some(({ plugin }) => plugin === songs.plugin) ? [...answers, { ...songs, answer: {} }] : answers;
    const info = mergedArtistInfo(everyone, songs?.answer ?? [], missing.length === 0);
    const isKnown = info.summary !== null || info.similar.length > 0;
    // A complete stored answer outranks a partial new one; a partial stored one is merged with it.
    const keepsOld = missing.length > 0 && (everyone.length === 0 || before?.isComplete === true);
    if (keepsOld) return { result: { isEnabled: true, isKnown }, positions: recorded };
    const positions = await this.#record(id, missing.length > 0 ? withWhatWasKnown(info, before) : info, context);
    return { result: { isEnabled: true, isKnown }, positions: [...recorded, ...positions] };
  }

  async #record(id: number, info: FoundArtistInfo, context: MessageContext): Promise<readonly LogPosition[]> {
    return (await this.deps.commands.send(recordArtistInfo, { artistId: artistId.parse(id), ...info }, context)).positions;
  }

  /** Of an artist of whom nothing is known yet, what some services have said is recorded while others have not answered: those may be slow, or time out. */
  #early(id: number, before: ArtistAsked | undefined, context: MessageContext): EarlyAnswers {
    const heard: PluginAnswer[] = [];
    let recording: Promise<readonly LogPosition[]> = Promise.resolve([]);
    const record = (): void => {
      if (before !== undefined || heard.length === 0) return;
      recording = this.#record(id, mergedArtistInfo(heard, [], false), context);
      // Its fault, if it has one, is met at the end.
      recording.catch(() => undefined);
    };
    const timer = setTimeout(record, this.deps.soonMs ?? SOON_MS);
    return {
      hear: (answer) => heard.push(answer),
      end: () => {
        clearTimeout(timer);
        return recording;
      },
    };
  }

  #remember(id: number): void {
    this.#askedAtMs.delete(id);
    this.#askedAtMs.set(id, this.deps.now());
    const oldest = this.#askedAtMs.size > MAX_REMEMBERED ? this.#askedAtMs.keys().next().value : undefined;
    if (oldest !== undefined) this.#askedAtMs.delete(oldest);
  }
}

/** Hears what services say, one after the other. */
interface EarlyAnswers {
  readonly hear: (answer: PluginAnswer) => void;
  /** Where in the log stands what was recorded early. */
  readonly end: () => Promise<readonly LogPosition[]>;
}

/** Fills the new answers up with the stored ones of services that do not answer now. */
const withWhatWasKnown = (info: FoundArtistInfo, before: ArtistAsked | undefined): FoundArtistInfo => {
  const old = before?.info;
  if (old === undefined) return info;
  const names = new Set(info.similar.map(({ name }) => name));
  const text = info.summary === null ? old : info;
  return {
    ...info,
    summary: text.summary,
    attribution: text.attribution,
    url: text.url ?? old.url,
    mbid: info.mbid ?? old.mbid,
    placeFormed: info.placeFormed ?? old.placeFormed,
    yearFormed: info.yearFormed ?? old.yearFormed,
    similar: [...info.similar, ...old.similar.filter(({ name }) => !names.has(name))].slice(0, MAX_FOUND_ARTISTS),
    topSongs: info.topSongs.length > 0 ? info.topSongs : old.topSongs,
  };
};

/** Some know artists by their MusicBrainz id alone: when only an answer tells it, those that had none are asked again. */
const answersOf = async (host: PluginHost, artist: ArtistQuery, hear: EarlyAnswers['hear']): ReturnType<PluginHost['askEach']> => {
  const ask = (query: ArtistQuery) => host.askEach({ part: 'metadata', function: 'artist', query, timeoutMs: ASKING_MS }, hear);
  const first = await ask(artist);
  const mbid = artist.mbid ?? mbidIn(first.answers);
  const names = host.having('metadata', 'artist').map(({ name }) => name);
  if (artist.mbid !== undefined || mbid === undefined || first.answers.length === names.length) return first;
  const later = await ask({ ...artist, mbid });
  const both = [...first.answers, ...later.answers];
  const answers = names.flatMap((name) => both.find(({ plugin }) => plugin === name) ?? []);
  return { answers, failed: later.failed.filter((name) => !answers.some(({ plugin }) => plugin === name)) };
};
