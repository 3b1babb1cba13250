import type { ShareRecord } from '../reads/shares.reads.js';
import type { GatewayServices } from '../services.js';

/** The secret of a share, for those who may manage it; null when it was sealed under another server secret. */
export const secretOf = ({ sealer, log }: Pick<GatewayServices, 'sealer' | 'log'>, share: ShareRecord): string | null => {
  try {
    return sealer.open(share.sealedSecret);
  } catch (err) {
    log.warn({ err, shareId: share.id }, 'the secret of a share was sealed under another CONTINUO_SECRET');
    return null;
  }
};

/** Where a share is open to everybody (native README section 12). */
export const shareUrl = (baseUrl: string, id: number, secret: string): string => `${baseUrl}/share.php?id=${id}&secret=${secret}`;
