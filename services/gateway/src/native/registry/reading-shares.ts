import { sharesByIds, type ShareView } from '../../reads/shares.reads.js';
import type { IdList } from '../../reads/id-list.js';
import { secretOf, shareUrl } from '../../share/share-address.js';
import type { CallerCall } from '../method.js';
import { shareObject, type NativeShare } from '../objects/share.object.js';
import { pageResult, type ListParams } from '../paging.js';
import type { NativeResult } from '../result.js';

/** A share with its secret, for whoever may manage it. */
export const openedShare = ({ services, request }: Pick<CallerCall<unknown>, 'services' | 'request'>, view: ShareView): NativeShare => {
  const secret = secretOf(services, view);
  return { view, secret, url: secret === null ? null : shareUrl(request.baseUrl, view.id, secret) };
};

/** Reads shares of a page. */
export const readShares = async (
  call: Pick<CallerCall<unknown>, 'services' | 'request' | 'viewer'>,
  ids: ArrayLike<number>,
): Promise<NativeShare[]> => (await sharesByIds(call.services.db, ids, call.viewer)).map((view) => openedShare(call, view));

/** One page of shares. */
export const sharesPage = (call: CallerCall<Pick<ListParams, 'offset' | 'limit'>>, list: IdList): Promise<NativeResult> =>
  pageResult(call, list, { table: shareObject, read: (ids) => readShares(call, ids) });
