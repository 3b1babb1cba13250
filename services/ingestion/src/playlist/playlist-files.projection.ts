import { projectEach, type Projection } from '@continuo/chassis';
import type { PlaylistFileEvent, PlaylistFileTable } from '@continuo/contracts';

interface Tables {
  playlist_file: PlaylistFileTable;
}

const ddl = [
  `create table playlist_file (
    catalog_id bigint not null, path text not null, digest text not null, size_bytes bigint not null, mtime_ms bigint not null, outcome text not null,
    playlist_id bigint, revision bigint, entry_count bigint not null, song_count bigint not null, message text, unmatched text not null,
    updated_at_ms bigint not null, primary key (catalog_id, path))`,
];

/** Keeps `ingestion.playlist_file`: one row per playlist file that a scan has read. */
export const playlistFilesProjection: Projection<Tables> = {
  name: 'ingestion-playlist-files',
  version: 1,
  context: 'ingest',
  publishedSchema: 'ingestion',
  publishes: ['playlist_file'],
  ddl,
  ...projectEach<PlaylistFileEvent, Tables>({
    PlaylistFileRead: ({ data, at }, db) => {
      const row = {
        digest: data.digest,
        size_bytes: data.sizeBytes,
        mtime_ms: data.mtimeMs,
        outcome: data.outcome,
        playlist_id: data.playlistId,
        revision: data.revision,
        entry_count: data.entryCount,
        song_count: data.songCount,
        message: data.message,
        unmatched: JSON.stringify(data.unmatched),
        updated_at_ms: at,
      };
      return [
        db
          .insertInto('playlist_file')
          .values({ catalog_id: data.catalogId, path: data.path, ...row })
          .onConflict((conflict) => conflict.columns(['catalog_id', 'path']).doUpdateSet(row)),
      ];
    },
    PlaylistFileMoved: ({ data }, db) => [
      db.deleteFrom('playlist_file').where('catalog_id', '=', data.catalogId).where('path', '=', data.path),
    ],
  }),
};
