import { projectEach, type Projection } from '@continuo/chassis';
import type { ArtistInfoEvent, ArtistInfoTable, FoundArtEvent, FoundArtTable, FoundSimilarArtist, FoundTopSong } from '@continuo/contracts';
import type { Kysely } from 'kysely';

interface Tables {
  artist_info: ArtistInfoTable;
  found_art: FoundArtTable;
}

const ddl = [
  `create table artist_info (
    artist_id bigint primary key, mbid text, summary text, attribution text, place_formed text, year_formed int, url text, "similar" text not null,
    top_songs text not null, found_at_ms bigint not null, is_complete boolean not null)`,
  'create index artist_info_by_year on artist_info (year_formed) where year_formed is not null',
  `create table found_art (
    kind text not null, object_id bigint not null, art_hash text not null, art_mime text not null, source text not null, primary key (kind, object_id))`,
];

const infoRow = ({ data, at }: { readonly data: ArtistInfoEvent['data']; readonly at: number }): ArtistInfoTable => ({
  artist_id: data.artistId,
  mbid: data.mbid,
  summary: data.summary,
  attribution: data.attribution,
  place_formed: data.placeFormed,
  year_formed: data.yearFormed,
  url: data.url,
  similar: JSON.stringify(data.similar.map(({ name, mbid }): FoundSimilarArtist => ({ name, mbid }))),
  top_songs: JSON.stringify(data.topSongs.map(({ title, mbid }): FoundTopSong => ({ title, mbid }))),
  found_at_ms: at,
  is_complete: data.isComplete,
});

const artRow = (kind: FoundArtTable['kind'], id: number, { art, source }: FoundArtEvent['data']): FoundArtTable => ({
  kind,
  object_id: id,
  art_hash: art.hash,
  art_mime: art.mime,
  source,
});

const artInsert = (db: Kysely<Tables>, { kind, object_id, ...row }: FoundArtTable) =>
  db
    .insertInto('found_art')
    .values({ kind, object_id, ...row })
    .onConflict((conflict) => conflict.columns(['kind', 'object_id']).doUpdateSet(row));

/** Projects external metadata about things of the library. It is kept when a thing is removed: under the same id the thing may come back. */
export const externalMetadataProjection: Projection<Tables> = {
  name: 'library-found-facts',
  version: 2,
  context: 'library',
  publishedSchema: 'library',
  publishes: ['artist_info', 'found_art'],
  ddl,
  ...projectEach<ArtistInfoEvent | FoundArtEvent, Tables>({
    ArtistInfoFound: (event, db) => {
      const { artist_id: _, ...row } = infoRow(event);
      return [
        db
          .insertInto('artist_info')
          .values(infoRow(event))
          .onConflict((conflict) => conflict.column('artist_id').doUpdateSet(row)),
      ];
    },
    ArtistArtFound: ({ data }, db) => [artInsert(db, artRow('artist', data.artistId, data))],
    AlbumArtFound: ({ data }, db) => [artInsert(db, artRow('album', data.albumId, data))],
  }),
};
