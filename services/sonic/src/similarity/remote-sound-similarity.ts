import { PluginFault, type PluginHost, type RunningPlugin, type SonicSong } from '@continuo/plugins';
import { Rejection, type ReadModel, type SonicMatch, type SongDocument } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { similarityOfForeign } from '../neighbours/similarity.js';
import { presentSongs } from '../neighbours/sound-rows.reads.js';
import type { Sounds, SoundScope } from './sounds.js';

const outline = z.object({ form: z.literal('remote') });
const answer = z.array(z.object({ songId: z.number().int().positive(), distance: z.number() })).max(10_000);

/** Asked for beyond what is wanted: some may have gone, or lie in catalogs that the caller may not see. */
const SPARE_FACTOR = 2;
const SPARE = 20;

/** Sounds compared by a back end elsewhere, through a plug-in. It knows nothing of who may see what: that is looked at here. */
export class RemoteSoundSimilarity implements Sounds {
  readonly size = 0;
  readonly #plugin: RunningPlugin;
  readonly #db: Kysely<ReadModel>;
  readonly #timeoutMs: number;

  private constructor(plugin: RunningPlugin, db: Kysely<ReadModel>, timeoutMs: number) {
    this.#plugin = plugin;
    this.#db = db;
    this.#timeoutMs = timeoutMs;
  }

  /** Undefined when the first sonic plug-in is not one of this kind. */
  static over(host: PluginHost, db: Kysely<ReadModel>, timeoutMs: number): RemoteSoundSimilarity | undefined {
    const [plugin] = host.having('sonic');
    return plugin && outline.safeParse(plugin.parts.sonic?.values).success ? new RemoteSoundSimilarity(plugin, db, timeoutMs) : undefined;
  }

  get plugin(): RunningPlugin {
    return this.#plugin;
  }

  async similar(songId: number, scope: SoundScope): Promise<readonly SonicMatch[] | undefined> {
    const song = await this.#songFor(songId, scope);
    if (!song) return undefined;
    if (scope.count === 0) return [];
    const found = await this.#ask('similar', { song, count: scope.count * SPARE_FACTOR + SPARE }, scope);
    return found?.filter((match) => match.songId !== songId).slice(0, scope.count);
  }

  async path(fromSongId: number, toSongId: number, scope: SoundScope): Promise<readonly SonicMatch[] | undefined> {
    const [from, to] = await Promise.all([this.#songFor(fromSongId, scope), this.#songFor(toSongId, scope)]);
    if (!from || !to) return undefined;
    const start = { songId: fromSongId, similarity: 1 };
    if (fromSongId === toSongId) return [start];
    const found = await this.#ask('path', { from, to, count: scope.count }, scope);
    if (!found || found.length === 0) return found;
    const between = found.filter((match) => match.songId !== fromSongId && match.songId !== toSongId);
    const end = found.find((match) => match.songId === toSongId) ?? { songId: toSongId, similarity: -1 };
    return [start, ...between.slice(0, Math.max(0, scope.count - 2)), end];
  }

  /** @throws Rejection `unavailable` when the back end does not answer */
  async #ask(name: 'similar' | 'path', query: unknown, scope: SoundScope): Promise<SonicMatch[] | undefined> {
    const said = await this.#answerTo(name, query);
    if (said === undefined || said === null) return undefined;
    const read = answer.safeParse(said);
    if (!read.success) throw new Rejection('unavailable', `${this.#plugin.name} answers something else than songs`);
    const ids = [...new Set(read.data.map(({ songId }) => songId))];
    const present = await presentSongs(this.#db, ids);
    const distances = new Map(read.data.map(({ songId, distance }) => [songId, distance]));
    return ids.flatMap((songId) => {
      const catalogId = present.get(songId);
      const isVisible = catalogId !== undefined && (scope.catalogs === 'all' || scope.catalogs.includes(catalogId));
      return isVisible ? [{ songId, similarity: similarityOfForeign(distances.get(songId) ?? -1) }] : [];
    });
  }

  async #answerTo(name: string, query: unknown): Promise<unknown> {
    try {
      return await this.#plugin.ask('sonic', name, query, this.#timeoutMs);
    } catch (error) {
      if (!(error instanceof PluginFault)) throw error;
      throw new Rejection('unavailable', 'the sonic back end does not answer', undefined, { cause: error });
    }
  }

  /** Query about a song that the caller may see. */
  async #songFor(songId: number, { catalogs }: SoundScope): Promise<SonicSong | undefined> {
    const row = await this.#db
      .selectFrom('library.song')
      .select(['catalog_id', 'title', 'mbid', 'duration_ms', 'doc'])
      .where('id', '=', songId)
      .executeTakeFirst();
    if (!row || (catalogs !== 'all' && !catalogs.includes(row.catalog_id))) return undefined;
    const { artists, album } = JSON.parse(row.doc) as SongDocument;
    return {
      songId,
      title: row.title,
      artist: artists[0]?.name,
      album: album.name,
      mbid: row.mbid ?? undefined,
      durationMs: row.duration_ms,
    };
  }
}
