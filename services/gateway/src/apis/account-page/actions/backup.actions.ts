import type { FastifyReply } from 'fastify';
import { requireLevel } from '../../../auth/index.js';
import { BACKUP_ARCHIVE, downloadOfBackup } from '../../../features/backups/download-backup.js';
import { sendDownload } from '../../../features/media/send-bytes.js';
import { field, goTo, requireSessionCsrfToken, signedIn, type Exchange } from '../exchange.js';

/**
 * Sends a backup to an administrator who is signed in. The web page asks by a form: browsers save the answer to one while it comes, whereas scripts would have to
 * hold it in memory, and no token stands in an address.
 */
export const sendBackup = async (page: Exchange): Promise<FastifyReply> => {
  const signed = await signedIn(page);
  if (!signed) return goTo(page, 'login');
  requireSessionCsrfToken(signed);
  const { services } = page.tools;
  // Who may not call the operation does not get its answer here.
  const { token } = services.auth.web.accessToken(signed.who.token);
  const headers = { ...page.auth.headers, authorization: `Bearer ${token}` };
  const caller = await services.auth.authenticateNative({ ...page.auth, headers, params: {} }, 'manage:write:backups');
  requireLevel(caller, 100);
  return sendDownload(page, BACKUP_ARCHIVE, await downloadOfBackup(services, { ...signed, caller }, field(page, 'id')));
};
