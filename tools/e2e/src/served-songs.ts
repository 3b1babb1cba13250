import type { AlbumDocument, ArtistDocument, LyricsDocument, NameRef, ReadModel, SongDocument } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { ExpectedSong } from '@continuo/media-fixtures';

/** A song in the words of the corpus, and what the read model says of its sound. */
export interface ServedSong {
  readonly song: ExpectedSong;
  readonly sound: Pick<
    SongDocument,
    | 'format'
    | 'codec'
    | 'mime'
    | 'lossless'
    | 'sampleRateHz'
    | 'channels'
    | 'bitDepth'
    | 'bitrateMode'
    | 'durationMs'
    | 'bitrateBps'
    | 'sizeBytes'
  >;
}

type Db = Kysely<ReadModel>;

/** Leaves out what is absent, so that documents compare by what they say. */
const said = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as T;

const person = (ref: NameRef, sortNames: ReadonlyMap<number, string>) =>
  said({
    name: ref.name,
    mbid: ref.mbid,
    sortName: sortNames.get(ref.id),
    ...(ref.prefix ? { prefix: ref.prefix, basename: ref.basename } : {}),
  });

const sortNamesOf = async (db: Db): Promise<Map<number, string>> => {
  const rows = await db.selectFrom('library.artist').select(['id', 'doc']).execute();
  return new Map(
    rows.flatMap(({ id, doc }) =>
      ((sortName) => (sortName ? [[id, sortName] as const] : []))((JSON.parse(doc) as ArtistDocument).sortName),
    ),
  );
};

const albumsOf = async (db: Db) => {
  const rows = await db
    .selectFrom('library.album')
    .select([
      'id',
      'name',
      'prefix',
      'mbid',
      'mbid_group',
      'year',
      'original_year',
      'version',
      'barcode',
      'catalog_number',
      'release_status',
    ])
    .select(['art_hash', 'doc'])
    .execute();
  return new Map(
    rows.map((row) => {
      const doc = JSON.parse(row.doc) as AlbumDocument;
      const album = said({
        name: row.name,
        prefix: row.prefix ?? undefined,
        sortName: doc.sortName,
        mbid: row.mbid ?? undefined,
        mbidGroup: row.mbid_group ?? undefined,
        year: row.year,
        originalYear: row.original_year ?? undefined,
        releaseDate: doc.releaseDate,
        originalDate: doc.originalDate,
        releaseTypes: doc.releaseTypes,
        releaseStatus: row.release_status ?? undefined,
        version: row.version ?? undefined,
        barcode: row.barcode ?? undefined,
        catalogNumber: row.catalog_number ?? undefined,
        recordLabels: doc.recordLabels,
        compilation: doc.compilation,
        diskTitles: doc.diskTitles,
        displayArtist: doc.displayArtist,
        explicit: doc.explicit,
      });
      return [row.id, { album, art: row.art_hash ?? undefined }] as const;
    }),
  );
};

const songIn = (
  doc: SongDocument,
  { album, art }: { album: ExpectedSong['album']; art: string | undefined },
  sortNames: ReadonlyMap<number, string>,
  lyrics: LyricsDocument,
): ExpectedSong =>
  said({
    title: doc.title,
    sortTitle: doc.sortTitle,
    artists: doc.artists.map((ref) => person(ref, sortNames)),
    displayArtist: doc.displayArtist,
    albumArtists: doc.albumArtists.map((ref) => person(ref, sortNames)),
    displayAlbumArtist: doc.displayAlbumArtist,
    album,
    track: doc.track,
    disk: doc.disk,
    diskSubtitle: doc.diskSubtitle,
    year: doc.year,
    bpm: doc.bpm,
    genres: doc.genres.map(({ name }) => name),
    moods: doc.moods.map(({ name }) => name),
    composers: doc.composers ?? [],
    contributors: (doc.contributors ?? []).map(({ role, subRole, name }) =>
      said({
        role,
        subRole,
        name,
      }),
    ),
    comment: doc.comment,
    publisher: doc.publisher,
    language: doc.language,
    license: doc.license,
    isrcs: doc.isrcs ?? [],
    works: doc.works ?? [],
    movements: doc.movements ?? [],
    groupings: doc.groupings ?? [],
    explicit: doc.explicit,
    mbid: doc.mbid,
    mbTrackId: doc.mbTrackId,
    trackGainDb: doc.trackGainDb,
    trackPeak: doc.trackPeak,
    albumGainDb: doc.albumGainDb,
    albumPeak: doc.albumPeak,
    r128TrackGain: doc.r128TrackGain,
    r128AlbumGain: doc.r128AlbumGain,
    lyrics,
    extraTags: doc.extraTags ?? {},
    rating: doc.tagRating,
    startMs: doc.part?.startMs,
    art: doc.artHash,
    albumArt: art,
  }) as ExpectedSong;

/** Every song of the read model by its path, in the words of the corpus. */
export const servedSongs = async (db: Db): Promise<ReadonlyMap<string, ServedSong>> => {
  const [sortNames, albums] = [await sortNamesOf(db), await albumsOf(db)];
  const lyrics = new Map(
    (await db.selectFrom('library.song_lyrics').select(['song_id', 'lyrics']).execute()).map((row) => [
      row.song_id,
      JSON.parse(row.lyrics) as LyricsDocument,
    ]),
  );
  const found = await db.selectFrom('library.found_art').select(['object_id', 'art_hash']).where('kind', '=', 'artist').execute();
  const artistArt = new Map(found.map((row) => [row.object_id, row.art_hash]));
  const rows = await db.selectFrom('library.song').select(['id', 'album_id', 'doc']).execute();
  return new Map(
    rows.map(({ id, album_id: albumId, doc: text }) => {
      const doc = JSON.parse(text) as SongDocument;
      const album = albums.get(albumId);
      if (!album) throw new Error(`song ${id} is on no album`);
      const { format, codec, mime, lossless, sampleRateHz, channels, bitDepth, bitrateMode, durationMs, bitrateBps, sizeBytes } = doc;
      const sound = { format, codec, mime, lossless, sampleRateHz, channels, bitDepth, bitrateMode, durationMs, bitrateBps, sizeBytes };
      return [
        doc.part ? `${doc.path}#${doc.track}` : doc.path,
        {
          song: said({
            ...songIn(doc, album, sortNames, lyrics.get(id) ?? []),
            artistArt: artistArt.get(doc.artists[0]?.id ?? 0),
          }) as ExpectedSong,
          sound: said(sound) as ServedSong['sound'],
        },
      ];
    }),
  );
};
