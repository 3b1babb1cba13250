import { sharesByIds, type ShareView } from '../../../../features/share/shares.reads.js';
import type { IdList } from '../../../../reads/lists/id-list.js';
import { secretOf, shareUrl } from '../../../../features/share/share-address.js';
import type { CallerCall } from '../../method.js';
import { shareObject, type NativeShare } from '../../objects/share.object.js';
import { pageResult, type ListParams } from '../../paging.js';
import type { NativeResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasSealer, HasLog } from '../../../../server/needs.js';

type Services = HasReadModel & HasSealer & HasLog;

/** A share with its secret, for its managers. */
export const shareWithSecret = (
  { services, context }: Pick<CallerCall<unknown, Services>, 'services' | 'context'>,
  view: ShareView,
): NativeShare => {
  const secret = secretOf(services, view);
  return { view, secret, url: secret === null ? null : shareUrl(context.baseUrl, view.id, secret) };
};

/** Reads shares of a page. */
export const readShares = async (
  call: Pick<CallerCall<unknown, Services>, 'services' | 'context' | 'viewer'>,
  ids: ArrayLike<number>,
): Promise<NativeShare[]> => (await sharesByIds(call.services.db, ids, call.viewer)).map((view) => shareWithSecret(call, view));

/** A page of shares. */
export const sharesPage = (call: CallerCall<Pick<ListParams, 'offset' | 'limit'>, Services>, list: IdList): Promise<NativeResult> =>
  pageResult(call, list, { table: shareObject, read: (ids) => readShares(call, ids) });
