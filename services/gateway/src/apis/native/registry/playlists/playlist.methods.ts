import { z } from 'zod';
import { usersByIds } from '../../../../reads/people/users.reads.js';
import { filingsOf } from '../../../../reads/playlists/playlist-folders.reads.js';
import { rightsOf } from '../../../../reads/visibility/playlist-access.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { orNotFound } from '../../named-object.js';
import { playlistHashObject, playlistObject } from '../../objects/playlist.object.js';
import { songObject } from '../../objects/song.object.js';
import { by, listQuery, pageResult } from '../../paging.js';
import { flag, include, limit, matching, named, offset, paging, positions } from '../../params.js';
import { fieldsResult, objectResult, type NativeResult } from '../../result.js';
import { apiVersions } from '../../versions/policy.js';
import { listScope, listsPage, openList } from '../lists/reading-playlists.js';
import { readSongs } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasReadModel & HasLists & HasPreferences & HasSmartlists & HasCommands & HasConfig;
const { method } = methodsUsing<Services>();

const listed = { ...matching, include, ...paging };

/** First version that includes songs. */
const EXPANDED_SINCE = 6;
const isExpanded = ({ params, policy }: CallerCall<{ include: (name: string) => boolean }, Services>): boolean =>
  policy.version >= EXPANDED_SINCE && params.include('songs');

interface SingleParams {
  readonly filter: string;
  readonly include?: (name: string) => boolean;
}

/** A list as a single object; whoever may change its terms can include its collaborators. @throws NativeRefusal 4704 when it was just deleted */
export const singleListResult = async (call: CallerCall<SingleParams, Services>, open = openList): Promise<NativeResult> => {
  const { services, viewer, params } = call;
  const view = orNotFound(await (await open(call)).view(), params.filter);
  const listsCollaborators = params.include?.('collaborators') === true && rightsOf(viewer, view).own;
  const collaborators = listsCollaborators ? await usersByIds(services.db, view.collaboratorIds) : undefined;
  const filingOf = await filingsOf(services.db, viewer.userId, view.kind === 'search' ? 'smartlist' : 'playlist', [view.id]);
  const list = { view, viewer, filing: filingOf(view.id), collaborators };
  return objectResult(playlistObject, list, view.id);
};

/** Methods that read playlists. */
export const playlistMethods = {
  playlists: method({
    versions: apiVersions,
    access: 5,
    params: z.object({ ...listed, hide_search: flag, show_dupes: flag }),
    run: async (call) => {
      const { hide_search: hidesSearches, show_dupes: showsDupes } = call.params;
      const { kind, own } = await listScope(call, { hidesSearches, showsDupes });
      const list = await call.services.lists.ids(listQuery(kind, call.params, own, by('name')), call.viewer);
      return listsPage(call, list, { expanded: isExpanded(call) });
    },
  }),
  user_playlists: method({
    versions: [6, 8],
    access: 5,
    params: z.object(listed),
    run: async (call) => {
      const { own } = await listScope(call, { hidesSearches: true });
      const mine = [...own, { name: 'playlist_type', value: '0' }];
      const list = await call.services.lists.ids(listQuery('playlist', call.params, mine, by('name')), call.viewer);
      return listsPage(call, list, { expanded: isExpanded(call) });
    },
  }),
  playlist: method({ versions: apiVersions, access: 5, params: z.object({ ...named, include }), run: (call) => singleListResult(call) }),
  playlist_songs: method({
    versions: apiVersions,
    access: 5,
    params: z.object({ ...named, random: flag, offset, limit, positions }),
    run: async (call) => {
      const { params } = call;
      const songs = await (await openList(call)).songs({ random: params.random, isContinued: params.offset > 0 });
      return pageResult(call, songs, {
        table: songObject,
        read: async (ids, start) => {
          // Version 3 shows the position in the list here only.
          const from = params.offset + start + 1;
          return Array.from(await readSongs(call, ids, start), (song, index) => ({ ...song, playlistTrack: from + index }));
        },
      });
    },
  }),
  playlist_hash: method({
    versions: [6, 8],
    access: 5,
    params: z.object(named),
    run: async (call) => fieldsResult(playlistHashObject, await (await openList(call)).songs({ isContinued: true })),
  }),
};
