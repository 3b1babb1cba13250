import { sql, type SqlBool } from 'kysely';
import { isListedFor, mayOpen } from '../../reads/visibility/playlist-access.js';
import { never } from '../rule.js';
import { bareSmartlistId } from '../smartlist-operand.js';
import { col } from '../subject.js';
import { idOperand } from '../operands.js';
import type { Condition } from '../text-tests.js';
import { oneOf, text, type RuleDraft } from './rows.js';

/** A song that is in some of the playlists `p` that fulfil a condition, which also says whether the viewer may know of them. */
const inPlaylists = (alias: string, which: Condition): Condition =>
  sql<SqlBool>`${col(alias, 'id')} in (select m.object_id from library.playlist p join library.playlist_member m on m.playlist_id = p.id and m.object_kind = 'song' where ${which})`;

/** Whether it is in a playlist; the operand is the list. */
export const playlist: RuleDraft = oneOf(
  'playlist',
  'Playlist',
  ({ call, subject }) => {
    const id = idOperand(call.rule);
    return subject.on.song((alias) => inPlaylists(alias, sql<SqlBool>`p.id = ${id}::bigint and ${mayOpen(call.viewer, 'p')}`));
  },
  { select: 'playlists', family: 'boolean_subsearch', volatile: true },
);

/** Whether a smartlist finds it, or one of its songs; the operand is the list. */
export const smartPlaylist: RuleDraft = oneOf(
  'smartplaylist',
  'Smart Playlist',
  ({ call, subject }) => {
    const { rule } = call;
    const songs = call.smartlist(idOperand({ ...rule, input: bareSmartlistId(rule.input) }));
    return songs ? subject.on.song((alias) => sql<SqlBool>`${col(alias, 'id')} in (${songs})`) : never;
  },
  { select: 'smartlists', family: 'boolean_subsearch', volatile: true },
);

/** Whether it is in a playlist with a matching name. */
export const playlistName: RuleDraft = text(
  'playlist_name',
  'Playlist Name',
  (test, { call, subject }) =>
    subject.on.song((alias) =>
      inPlaylists(alias, sql<SqlBool>`${isListedFor(call.viewer.userId, 'p')} and ${test(sql`p.name`, sql`p.name_sort`)}`),
    ),
  { volatile: true },
);
