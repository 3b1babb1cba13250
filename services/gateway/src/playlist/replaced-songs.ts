import { playlistId, Rejection, replacePlaylistMembers, type PlaylistMemberKind } from '@continuo/contracts';
import { sql } from 'kysely';
import { runLongCommand } from '../commands.js';
import type { ReadDatabase } from '../reads/database.js';
import { playlistRecord } from '../reads/playlists.reads.js';
import { inVisibleCatalogs, type Viewer } from '../reads/viewer.js';
import type { Editor } from './playlists.js';

/** As often as somebody else may be faster. */
const TRIES = 4;
/** A list of tens of thousands is written in one piece. */
const TIMEOUT_MS = 60_000;

interface Run {
  kind: PlaylistMemberKind;
  objectIds: number[];
}

/** Members of a list that the viewer does not see, in order: songs of hidden catalogs, songs that are gone for now, and what is no song. */
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
 * Makes these the songs of a list. What the caller does not see of it cannot have been meant to go, so it stays, behind them. Somebody who changes the list at the
 * same time is waited for.
 * @throws Rejection `conflict` when others were faster again and again, `playlist.full`, `playlist.not-found`
 */
export const replaceSongs = async ({ services, context, viewer }: Editor, id: number, songIds: readonly number[]): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    // The revision is read first: whatever comes in after it makes the command fail, and then all is looked at again.
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
