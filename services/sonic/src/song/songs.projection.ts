import { projectEach, type ProjectedQuery, type Projection } from '@continuo/chassis';
import type { RecordedEvent, SonicSongEvent, SonicSongTable } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { bytesOf } from '../sound/packed-vector.js';

interface Tables {
  song: SonicSongTable;
}

const ddl = [
  `create table song (
    song_id bigint primary key, model text not null, fingerprint text, size_bytes bigint not null, mtime_ms bigint not null, scale real,
    vector bytea, reason text, position bigint not null, heard_at_ms bigint not null)`,
  // Vectors are numbers without pattern: looking for one costs time and gains nothing. They are small enough to stay in their rows.
  'alter table song alter column vector set storage plain',
  // Memories of the vectors follow by it; the same sound is found by its fingerprint.
  'create index song_by_position on song (position)',
  'create index song_by_fingerprint on song (fingerprint) where fingerprint is not null',
];

const written = (db: Kysely<Tables>, row: SonicSongTable): ProjectedQuery[] => {
  const { song_id: _, ...columns } = row;
  return [
    db
      .insertInto('song')
      .values(row)
      .onConflict((conflict) => conflict.column('song_id').doUpdateSet(columns)),
  ];
};

const common = ({ data, position, at }: RecordedEvent<SonicSongEvent>) => ({
  song_id: data.songId,
  model: data.model,
  size_bytes: data.file.sizeBytes,
  mtime_ms: data.file.modifiedAtMs,
  position,
  heard_at_ms: at,
});

/** Keeps `sonic.song`: what each song sounds like. */
export const songsProjection: Projection<Tables> = {
  name: 'sonic-songs',
  version: 1,
  context: 'sonic',
  publishedSchema: 'sonic',
  publishes: ['song'],
  ddl,
  ...projectEach<SonicSongEvent, Tables>({
    SonicSongHeard: (event, db) => {
      const { fingerprint, vector } = event.data;
      return written(db, { ...common(event), fingerprint, scale: vector.scale, vector: bytesOf(vector), reason: null });
    },
    SonicSongFailed: (event, db) =>
      written(db, { ...common(event), fingerprint: null, scale: null, vector: null, reason: event.data.reason }),
  }),
};
