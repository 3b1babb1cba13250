import { MAX_SHARE_DESCRIPTION, sharedKinds, type SharedKind, type ShareTerms } from '@continuo/contracts';
import { z } from 'zod';
import { listMd5 } from '../../reads/id-list.js';
import { expiryOf, type ShareView } from '../../reads/shares.reads.js';
import { requireSharing } from '../../share/share-policy.js';
import { editShare, endShare, managedShare, share, type Sharer } from '../../share/sharing.js';
import { badValue, notFound } from '../errors/native-fault.js';
import { method, type CallerCall, type CallerRow } from '../method.js';
import { shareObject } from '../objects/share.object.js';
import { by, listQuery } from '../paging.js';
import { cond, dateRange, flag, idOf, limit, offset, required, sort } from '../params.js';
import { objectResult, type NativeResult } from '../result.js';
import type { ApiVersion } from '../versions/policy.js';
import { openedShare, sharesPage } from './reading-shares.js';
import { requirePodcasts } from './podcast.methods.js';
import { requireVideos } from './video.methods.js';

const versions: readonly ApiVersion[] = [4, 5, 6, 8];
const isShared = (type: string): type is SharedKind => (sharedKinds as readonly string[]).includes(type);
const DISKS_SINCE = 8;

/** @throws NativeRefusal 4710 for a type that cannot be shared */
const kindOf = (type: string, version: ApiVersion): SharedKind => {
  if (type === 'smartlist') return 'search';
  if (!isShared(type) || (type === 'album_disk' && version < DISKS_SINCE)) throw badValue('type', type);
  return type;
};

const SMARTLIST = /^smart_/;

/** What `type` and `filter` name; a playlist with a smartlist's id is one. */
const objectOf = (type: string, filter: string, version: ApiVersion): { readonly kind: SharedKind; readonly id: number | undefined } => {
  const kind = kindOf(type, version);
  const text = filter.trim();
  const isSmart = (kind === 'playlist' || kind === 'search') && SMARTLIST.test(text);
  return isSmart ? { kind: 'search', id: idOf(text.replace(SMARTLIST, '')) } : { kind, id: idOf(filter) };
};

const MAX_DAYS = 36_500;
/** Days; empty and absent say nothing, 0 means for ever. */
const days = z
  .string()
  .optional()
  .transform((text, context) => {
    const given = text?.trim() ?? '';
    if (given === '') return undefined;
    if (/^\d{1,5}$/.test(given) && Number(given) <= MAX_DAYS) return Number(given);
    context.addIssue({ code: 'custom', message: 'not a number of days' });
    return z.NEVER;
  });
const description = z
  .string()
  .max(MAX_SHARE_DESCRIPTION)
  .transform((text) => text.toWellFormed())
  .optional();

const YES = ['1', 'true', 'yes', 'on'];
const NO = ['0', 'false', 'no', 'off'];
/** A switch that stays as it was when nothing is said. */
const switched = z
  .string()
  .optional()
  .transform((text, context) => {
    const given = text?.trim().toLowerCase() ?? '';
    if (given === '') return undefined;
    if (YES.includes(given) || NO.includes(given)) return YES.includes(given);
    context.addIssue({ code: 'custom', message: 'neither yes nor no' });
    return z.NEVER;
  });

/** Looks at the switch before the parameters (native README section 5). */
const gated = (row: CallerRow): CallerRow => ({
  ...row,
  invoke: async (raw, call) => {
    await requireSharing(call.services, call.request.caller.account.id);
    return row.invoke(raw, call);
  },
});

const sharerOf = ({ services, request, viewer }: CallerCall<unknown>): Sharer => ({ services, context: request, viewer });

const shown = (call: CallerCall<unknown>, view: ShareView): NativeResult =>
  objectResult(shareObject, openedShare(call, view), { counted: true, md5: () => listMd5(Int32Array.of(view.id)) });

/** The share that was found. @throws NativeRefusal 4704, also for shares of others: nobody learns which there are */
const found = ({ params }: CallerCall<{ filter: string }>, view: ShareView | undefined): ShareView => {
  if (!view) throw notFound('filter', params.filter);
  return view;
};

const create = async (
  call: CallerCall<{ filter: string; type: string; description?: string | undefined; expires: number | undefined }>,
): Promise<NativeResult> => {
  const { filter, type, expires } = call.params;
  const { kind, id } = objectOf(type, filter, call.policy.version);
  if (kind === 'video') requireVideos(call);
  if (kind === 'podcast' || kind === 'podcast_episode') requirePodcasts(call);
  const expiresAtMs = expires === undefined ? undefined : expiryOf(expires, call.services.now());
  const wanted = { kind, objectIds: id === undefined ? [] : [id], description: call.params.description?.trim() ?? '', expiresAtMs };
  const view = id === undefined ? undefined : await share(sharerOf(call), wanted);
  if (!view) throw notFound('filter', filter);
  return shown(call, view);
};

/** What is said of the terms; what is not said stays. */
const changesOf =
  (params: {
    readonly description?: string | undefined;
    readonly stream: boolean | undefined;
    readonly download: boolean | undefined;
    readonly expires: number | undefined;
  }) =>
  ({ createdAtMs }: ShareView): Partial<ShareTerms> => ({
    ...(params.description === undefined ? {} : { description: params.description }),
    ...(params.stream === undefined ? {} : { allowStream: params.stream }),
    ...(params.download === undefined ? {} : { allowDownload: params.download }),
    ...(params.expires === undefined ? {} : { expiresAtMs: expiryOf(params.expires, createdAtMs) }),
  });

/** Methods that share things with people who have no account. */
export const shareMethods = {
  shares: gated(
    method({
      versions,
      access: 5,
      params: z.object({ offset, limit, cond, sort, filter: z.string().optional(), exact: flag, add: dateRange, update: dateRange }),
      run: async (call) => sharesPage(call, await call.services.lists.ids(listQuery('share', call.params, [], by('title')), call.viewer)),
    }),
  ),
  share: gated(
    method({
      versions,
      access: 5,
      params: z.object({ filter: required }),
      run: async (call) => shown(call, found(call, await managedShare(sharerOf(call), idOf(call.params.filter)))),
    }),
  ),
  share_create: gated(
    method({ versions, access: 5, params: z.object({ filter: required, type: required, description, expires: days }), run: create }),
  ),
  share_edit: gated(
    method({
      versions,
      access: 5,
      params: z.object({ filter: required, description, stream: switched, download: switched, expires: days }),
      run: async (call) => {
        const view = found(call, await editShare(sharerOf(call), idOf(call.params.filter), changesOf(call.params)));
        return { kind: 'success', message: `share ${view.id} updated` };
      },
    }),
  ),
  share_delete: gated(
    method({
      versions,
      access: 5,
      params: z.object({ filter: required }),
      run: async (call) => {
        const view = found(call, await endShare(sharerOf(call), idOf(call.params.filter)));
        return { kind: 'success', message: `share ${view.id} deleted` };
      },
    }),
  ),
};
