import { playlistId, Rejection, replacePlaylistMembers, type PlaylistMemberKind } from '@continuo/contracts';
import { sql } from 'kysely';
import { runLongCommand } from '../../server/commands.js';
import type { ReadDatabase } from '../../reads/database/database.js';
import { playlistRecord } from '../../reads/playlists/playlists.reads.js';
import { inVisibleCatalogs, type Viewer } from '../../reads/visibility/viewer.js';
import type { Editor } from './playlists.js';

/** Attempts after conflicts with other editors. */
const TRIES = 4;
/** Tens of thousands of songs are written in one command, ms. */
const TIMEOUT_MS = 60_000;

interface Run {
  kind: PlaylistMemberKind;
  objectIds: number[];
}

/** Entries that the viewer does not see, in order: songs of hidden catalogs, missing songs, and objects that are not songs. */
const unseenMembers = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<Run[]> => {
  const { rows } = await sql<{ kind: PlaylistMemberKind; objectId: number }>`
    select m.object_kind as kind, m.object_id as "objectId" from library.playlist_member m
    where m.playlist_id = ${id} and not exists (
      select from library.song s where m.object_kind = 'song' and s.id = m.object_id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})
    order by m.rank`.execute(db);
  const runs: Run[] = [];
  for (const { kind, objectId } of rows) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.objectIds.push(objectId);
    else runs.push({ kind, objectIds: [objectId] });
  }
  return runs;
};

/**
 * Replaces the songs of a list. Entries that the caller does not see are kept, behind the new ones. Retries when somebody else changes the
 * list meanwhile.
 * @throws Rejection `conflict` after too many conflicts, `playlist.full`, `playlist.not-found`
 */
export const replaceSongs = async ({ services, context, viewer }: Editor, id: number, songIds: readonly number[]): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    // The revision is read first: any later change makes the command fail, and it is retried.
    const record = await playlistRecord(services.db, id);
    if (!record) throw new Rejection('playlist.not-found');
    const seen = songIds.length === 0 ? [] : [{ kind: 'song' as const, objectIds: [...songIds] }];
    const members = [...seen, ...(await unseenMembers(services.db, id, viewer))];
    const data = { playlistId: playlistId.parse(id), members, expectedRevision: record.revision };
    try {
      await runLongCommand(services, context, { command: replacePlaylistMembers, timeoutMs: TIMEOUT_MS }, data);
      return;
    } catch (error) {
      const isOvertaken = error instanceof Rejection && error.code === 'conflict';
      if (!isOvertaken || tries >= TRIES) throw error;
    }
  }
};
