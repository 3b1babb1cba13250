import type { ScanTable } from '@continuo/contracts';
import type { FirstAdministrator } from '@continuo/social';

/** Usage text of the command line. */
export const usage = `npm start -- [--music <folder>]…

  --music <folder>   add this folder as a catalog and scan it; may be given several times
  --help             this text

Settings come from the environment: PORT, HOST, CONTINUO_DATA, CONTINUO_SECRET, CONTINUO_ADMIN_USER,
CONTINUO_ADMIN_PASSWORD, CONTINUO_ADMIN_API_KEY, DATABASE_URL, NATS_URL, LOG_LEVEL.`;

/** Text that names the administrator, with a generated password: it is shown only once. */
export const introduction = ({ username, oneTimePassword }: FirstAdministrator): string =>
  [
    `  Administrator   ${username}`,
    ...(oneTimePassword ? [`  Password        ${oneTimePassword}   (shown only now; it opens every API)`] : []),
  ].join('\n');

/** Address of the page on which the first administrator chooses a password; the code in it is good until then. */
export const setupAddress = (url: string, { username, oneTimePassword: code }: FirstAdministrator): string | undefined =>
  code && `${url}/account/setup?${new URLSearchParams({ username, code }).toString()}`;

/** The lines that a user needs after a start. */
export const greeting = (standalone: { readonly url: string; readonly firstAdministrator: FirstAdministrator | undefined }): string => {
  const { url, firstAdministrator } = standalone;
  const lines = ['', `  Continuo is ready at ${url}`];
  if (firstAdministrator) {
    const address = setupAddress(url, firstAdministrator);
    lines.push(
      '',
      introduction(firstAdministrator),
      ...(address ? ['', '  Set it up in a browser, with a password of your own:', `  ${address}`] : []),
    );
  }
  lines.push(
    '',
    '  Browser: open the address above to listen.',
    '  Players: choose "Subsonic", "OpenSubsonic" or "Ampache" and give the same address. Ctrl-C stops.',
  );
  return lines.join('\n');
};

const count = (n: number, one: string, many: string): string => `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

/** One line on a scan that is under way. */
export const progressLine = (scan: ScanTable): string => {
  const seen = `${count(scan.folders_seen, 'folder', 'folders')}, ${count(scan.files_seen, 'file', 'files')}`;
  return `  ${scan.state}: ${seen}, ${scan.songs_added} new, ${scan.songs_changed} changed, ${scan.songs_removed} gone, ${scan.files_skipped} skipped`;
};

/** One line on a scan that has ended. */
export const summary = (scan: ScanTable): string => {
  const seconds = ((scan.finished_at_ms ?? scan.updated_at_ms) - (scan.started_at_ms ?? scan.requested_at_ms)) / 1000;
  if (scan.state === 'finished')
    return `  Done in ${seconds.toFixed(1)} s.${scan.files_skipped > 0 ? ' Why files were skipped stands on the page, under Libraries.' : ''}`;
  return `  The scan has ${scan.state}. ${scan.message ?? ''}`;
};
