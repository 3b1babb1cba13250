import { z } from 'zod';
import { endSmartlist, smartlistIdOf, smartlistWith } from '../../../../features/smartlists/index.js';
import { notFound } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { songObject } from '../../objects/song.object.js';
import { by, listQuery, pageResult } from '../../paging.js';
import { cond, flag, include, limit, offset, required, sort } from '../../params.js';
import type { NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import type { Condition } from '../../../../reads/lists/list-query.js';
import { IdList } from '../../../../reads/lists/id-list.js';
import { singleListResult } from './playlist.methods.js';
import { hiddenNames, listsPage, openSmartlist } from '../lists/reading-playlists.js';
import { songReader } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasReadModel & HasLists & HasPreferences & HasSmartlists & HasCommands & HasConfig;
const { method } = methodsUsing<Services>();

const versions: readonly ApiVersion[] = [6, 8];
const named = z.object({ filter: required });
const page = z.object({ filter: z.string().optional(), exact: flag, include, offset, limit, cond, sort });
type Page = CallerCall<z.output<typeof page>, Services>;

/** A page of smartlists; they have negative ids among playlists. */
const smartlists = async (call: Page, own: readonly Condition[]): Promise<NativeResult> => {
  const query = listQuery('smartlist', call.params, [...(await hiddenNames(call)), ...own], by('name'));
  const list = await call.services.lists.ids(query, call.viewer);
  return listsPage(
    call,
    new IdList(
      list.ids.map((id) => -id),
      list.md5,
    ),
    { expanded: call.params.include('songs') },
  );
};

/** Methods about smartlists. */
export const smartlistMethods = {
  smartlists: method({ versions, access: 5, params: page, run: (call) => smartlists(call, []) }),
  user_smartlists: method({ versions, access: 5, params: page, run: (call) => smartlists(call, [{ name: 'playlist_type', value: '0' }]) }),
  smartlist: method({ versions, access: 5, params: named, run: (call) => singleListResult(call, openSmartlist) }),
  smartlist_songs: method({
    versions,
    access: 5,
    params: z.object({ filter: required, random: flag, offset, limit }),
    run: async (call) => {
      const { params } = call;
      const songs = await (await openSmartlist(call)).songs({ random: params.random, isContinued: params.offset > 0 });
      return pageResult(call, songs, { table: songObject, read: songReader(call) });
    },
  }),
  smartlist_delete: method({
    versions,
    access: 5,
    params: named,
    run: async (call) => {
      const { services, request, viewer, params } = call;
      const list = await smartlistWith(call, smartlistIdOf(params.filter), 'own');
      if (!list) throw notFound('filter', params.filter);
      await endSmartlist({ services, context: request, viewer }, list.id);
      return { kind: 'success', message: 'playlist deleted' };
    },
  }),
};
