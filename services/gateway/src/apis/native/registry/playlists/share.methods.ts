import { given, MAX_SHARE_DESCRIPTION, sharedKinds, type SharedKind, type ShareTerms } from '@continuo/contracts';
import { z } from 'zod';
import { expiryOf, type ShareView } from '../../../../features/share/shares.reads.js';
import { requireSharing } from '../../../../features/share/share-policy.js';
import { editShare, endShare, findManagedShare, share } from '../../../../features/share/sharing.js';
import { badValue, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { orNotFound, type Named } from '../../named-object.js';
import { shareObject } from '../../objects/share.object.js';
import { by, listQuery } from '../../paging.js';
import { changed, idOf, matching, named, optional, paging, required, strictFlag } from '../../params.js';
import { objectResult, success, type NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import { shareWithSecret, sharesPage } from '../lists/reading-shares.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasClock, HasConfig, HasCommands, HasSealer, HasLog } from '../../../../server/needs.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import { requireKind } from '../../require-kind.js';

type Services = HasLists & HasClock & HasCommands & HasConfig & HasReadModel & HasPreferences & HasSealer & HasLog;
const { method } = methodsUsing<Services>({
  check: ({ services, context }) => requireSharing(services, context.caller.account.id),
});

const versions: readonly ApiVersion[] = [4, 5, 6, 8];
const isShared = (type: string): type is SharedKind => (sharedKinds as readonly string[]).includes(type);
const DISKS_SINCE = 8;

/** @throws NativeRefusal 4710 for a type that cannot be shared */
const kindOf = (type: string, version: ApiVersion): SharedKind => {
  if (type === 'smartlist') return 'search';
  if (!isShared(type) || (type === 'album_disk' && version < DISKS_SINCE)) throw badValue('type', type, oneOf(sharedKinds));
  return type;
};

const SMARTLIST = /^smart_/;

/** Object of `type` and `filter`; a playlist with a smartlist id is a smartlist. */
const objectOf = (type: string, filter: string, version: ApiVersion): { readonly kind: SharedKind; readonly id: number | undefined } => {
  const kind = kindOf(type, version);
  const text = filter.trim();
  const isSmart = (kind === 'playlist' || kind === 'search') && SMARTLIST.test(text);
  return isSmart ? { kind: 'search', id: idOf(text.replace(SMARTLIST, '')) } : { kind, id: idOf(filter) };
};

const MAX_DAYS = 36_500;
/** Days; empty and absent mean the default, 0 unlimited. */
const days = optional.transform((text, context) => {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  if (/^\d{1,5}$/.test(trimmed) && Number(trimmed) <= MAX_DAYS) return Number(trimmed);
  context.addIssue({ code: 'custom', message: `must be 0 to ${MAX_DAYS} days` });
  return z.NEVER;
});
const description = z
  .string()
  .max(MAX_SHARE_DESCRIPTION)
  .transform((text) => text.toWellFormed())
  .optional();

/** An optional switch; absent and empty keep the present value. */
const optionalSwitch = z
  .string()
  .transform((text) => (text.trim() === '' ? undefined : text))
  .pipe(strictFlag.optional())
  .optional();

const shown = (call: CallerCall<unknown, Services>, view: ShareView): NativeResult =>
  objectResult(shareObject, shareWithSecret(call, view), view.id);

/** A share that was found. @throws NativeRefusal 4704, also for shares of others */
const requireShare = ({ params }: CallerCall<Named, Services>, view: ShareView | undefined): ShareView => orNotFound(view, params.filter);

const created = z.object({ ...named, type: required, description, expires: days });

const create = async (call: CallerCall<z.output<typeof created>, Services>): Promise<NativeResult> => {
  const { filter, type, expires } = call.params;
  const { kind, id } = objectOf(type, filter, call.policy.version);
  requireKind(call, kind);
  const expiresAtMs = expires === undefined ? undefined : expiryOf(expires, call.services.now());
  const wanted = { kind, objectIds: id === undefined ? [] : [id], description: call.params.description?.trim() ?? '', expiresAtMs };
  return shown(call, orNotFound(id === undefined ? undefined : await share(call, wanted), filter));
};

const edited = z.object({ ...named, description, stream: optionalSwitch, download: optionalSwitch, expires: days });

/** Changes of a call; absent fields stay. */
const changesOf =
  (params: z.output<typeof edited>) =>
  ({ createdAtMs }: ShareView): Partial<ShareTerms> => ({
    ...given({ description: params.description, allowStream: params.stream, allowDownload: params.download }),
    ...(params.expires === undefined ? {} : { expiresAtMs: expiryOf(params.expires, createdAtMs) }),
  });

/** Methods about shares. */
export const shareMethods = {
  shares: method({
    versions,
    access: 5,
    params: z.object({ ...paging, ...matching, ...changed }),
    run: async (call) => sharesPage(call, await call.services.lists.ids(listQuery('share', call.params, [], by('title')), call.viewer)),
  }),
  share: method({
    versions,
    access: 5,
    params: z.object(named),
    run: async (call) => shown(call, requireShare(call, await findManagedShare(call, idOf(call.params.filter)))),
  }),
  share_create: method({ versions, access: 5, params: created, run: create }),
  share_edit: method({
    versions,
    access: 5,
    params: edited,
    run: async (call) => {
      const view = requireShare(call, await editShare(call, idOf(call.params.filter), changesOf(call.params)));
      return success(`share ${view.id} updated`);
    },
  }),
  share_delete: method({
    versions,
    access: 5,
    params: z.object(named),
    run: async (call) => {
      const view = requireShare(call, await endShare(call, idOf(call.params.filter)));
      return success(`share ${view.id} deleted`);
    },
  }),
};
