import type { ShareRecord } from './shares.reads.js';
import type { HasLog, HasSealer } from '../../server/needs.js';

/** Secret of a share, for its managers; null when it was sealed under another server secret. */
export const secretOf = ({ sealer, log }: HasSealer & HasLog, share: ShareRecord): string | null => {
  try {
    return sealer.open(share.sealedSecret);
  } catch (err) {
    log.warn(
      { err, shareId: share.id },
      'Failed to decrypt the secret of a share: sealed under another CONTINUO_SECRET; its address is left out',
    );
    return null;
  }
};

/** Public address of a share. */
export const shareUrl = (baseUrl: string, id: number, secret: string): string => `${baseUrl}/share.php?id=${id}&secret=${secret}`;
