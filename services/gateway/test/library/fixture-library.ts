import type { AlbumDocument, LyricsText, ReadModel, SongDocument } from '@continuo/contracts';
import { LibraryWriter, type FolderRecord } from '@continuo/read-model';
import type { Kysely } from 'kysely';

/** A song as a test describes it; everything else is derived or fixed. */
export interface FixtureSong {
  readonly title: string;
  readonly album: string;
  readonly artists: readonly string[];
  readonly albumArtists?: readonly string[];
  readonly genres?: readonly string[];
  readonly moods?: readonly string[];
  readonly year?: number;
  readonly disk?: number;
  readonly track?: number;
  /** Folder below the catalog's root, `/` between segments; empty for the root itself. */
  readonly folder: string;
  readonly fileName: string;
  readonly catalogId?: number;
  /** Further tags, under the names that the read model has for them. */
  readonly doc?: Partial<SongDocument>;
  readonly albumDoc?: Partial<AlbumDocument>;
  readonly lyrics?: readonly LyricsText[];
  readonly plays?: { readonly count: number; readonly lastPlayedAtMs: number };
}

/** 2024-05-01T10:20:30.000Z, when the first song was added; each one more came a minute later. */
export const FIRST_ADDED_MS = Date.UTC(2024, 4, 1, 10, 20, 30);
const MINUTE_MS = 60_000;

type ScannedTrack = FolderRecord['tracks'][number];

const credits = (names: readonly string[]): ScannedTrack['artists'] => names.map((name) => ({ name }));
/** Leaves out what is not given, as a scan does. */
const given = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

const albumOf = ({ album, year, disk = 1, albumDoc = {} }: FixtureSong): Pick<ScannedTrack, 'album' | 'diskSubtitle'> => {
  const { version, sortName, releaseDate, originalDate, releaseStatus, barcode, catalogNumber } = albumDoc;
  const { recordLabels = [], releaseTypes = [], compilation = false, diskTitles = [] } = albumDoc;
  const tags = given({ year, version, sortName, releaseDate, originalDate, releaseStatus, barcode, catalogNumber });
  return {
    album: { name: album, ...tags, recordLabels, releaseTypes, compilation },
    ...given({ diskSubtitle: diskTitles.find((one) => one.disk === disk)?.title }),
  };
};

const soundOf = ({ fileName, doc = {} }: FixtureSong) => ({
  durationMs: doc.durationMs ?? 181_400,
  format: doc.format ?? fileName.slice(fileName.lastIndexOf('.') + 1),
  mime: doc.mime ?? 'audio/flac',
  bitrateBps: doc.bitrateBps ?? 912_345,
  sampleRateHz: doc.sampleRateHz ?? 44_100,
  channels: doc.channels ?? 2,
  sizeBytes: doc.sizeBytes ?? 20_000_000,
  ...given({ codec: doc.codec, bitDepth: doc.bitDepth, lossless: doc.lossless }),
  ...given({ bitrateMode: doc.bitrateMode as 'cbr' | 'vbr' | 'abr' | undefined }),
});

const tagsOf = ({ doc = {} }: FixtureSong): Partial<ScannedTrack> => {
  const { trackGainDb, trackPeak, albumGainDb, albumPeak, r128TrackGain, r128AlbumGain, baseGainDb, artHash } = doc;
  const { works, movements, groupings, explicit } = doc;
  const { sortTitle, composers, contributors, diskSubtitle, bpm, isrcs, comment, language, license, mbTrackId, extraTags } = doc;
  const { displayArtist, displayAlbumArtist } = doc;
  return {
    ...given({ sortTitle, composers, contributors, diskSubtitle, bpm, isrcs, comment, language, license, mbTrackId, extraTags }),
    ...given({ displayArtist, displayAlbumArtist, mbRecordingId: doc.mbid }),
    ...given({ works, movements, groupings, explicit }),
    loudness: given({ trackGainDb, trackPeak, albumGainDb, albumPeak, r128TrackGain, r128AlbumGain, baseGainDb }),
    ...(artHash === undefined ? {} : { art: { hash: artHash, mime: 'image/png', sizeBytes: 1 } }),
  };
};

const trackOf = (song: FixtureSong): ScannedTrack => {
  const read = {
    fileName: song.fileName,
    mtimeMs: FIRST_ADDED_MS,
    title: song.title,
    artists: credits(song.artists),
    albumArtists: credits(song.albumArtists ?? song.artists),
    genres: [...(song.genres ?? [])],
    moods: [...(song.moods ?? [])],
    disk: song.doc?.disk ?? song.disk ?? 1,
    track: song.doc?.track ?? song.track ?? 1,
    ...given({ year: song.doc?.year ?? song.year }),
    ...albumOf(song),
    ...soundOf(song),
    ...tagsOf(song),
    lyrics: [...(song.lyrics ?? [])],
  };
  return { ...read, digest: JSON.stringify(read) };
};

const writePlays = async (db: Kysely<ReadModel>, songs: readonly FixtureSong[]): Promise<void> => {
  const rows = songs.flatMap(({ plays }, index) => {
    const never = { skip_count: 0, last_skipped_at_ms: null };
    return plays ? [{ song_id: index + 1, play_count: plays.count, last_played_at_ms: plays.lastPlayedAtMs, ...never }] : [];
  });
  if (rows.length > 0) await db.insertInto('playback.song_plays').values(rows).execute();
};

const writeScan = async (db: Kysely<ReadModel>, songs: number): Promise<void> => {
  const scan = {
    id: 'first-scan',
    catalog_id: 1,
    mode: 'changes',
    state: 'finished',
    requested_at_ms: FIRST_ADDED_MS,
    started_at_ms: FIRST_ADDED_MS,
    updated_at_ms: FIRST_ADDED_MS + MINUTE_MS,
    finished_at_ms: FIRST_ADDED_MS + MINUTE_MS,
    folders_seen: 1,
    files_seen: songs,
    songs_added: songs,
    songs_changed: 0,
    songs_moved: 0,
    songs_removed: 0,
    files_skipped: 0,
    message: null,
  } as const;
  await db.insertInto('ingestion.scan').values(scan).execute();
};

/**
 * Fills an empty read model with the given songs and everything that belongs to them, by the library's own projection; ids count from 1 in the
 * order in which things come up.
 */
export const seedFixtureLibrary = async (db: Kysely<ReadModel>, songs: readonly FixtureSong[]): Promise<void> => {
  const library = await LibraryWriter.over(db as unknown as Kysely<unknown>);
  const catalogIds = new Set(songs.map(({ catalogId = 1 }) => catalogId));
  for (const id of catalogIds) await library.catalog({ id, name: `Music ${id}`, path: `/music/${id}` }, FIRST_ADDED_MS);
  await library.nameArtists(songs.flatMap(({ artists, albumArtists = artists }) => [...artists, ...albumArtists]));
  for (const [index, song] of songs.entries())
    await library.folder(
      { catalogId: song.catalogId ?? 1, path: song.folder, tracks: [trackOf(song)] },
      FIRST_ADDED_MS + index * MINUTE_MS,
    );
  await library.finish();
  await writePlays(db, songs);
  await writeScan(db, songs.length);
};
