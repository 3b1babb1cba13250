import type { Managed } from './api.js';

/** Something about the address of the server that its operator should know; `isFault`: something will not work. */
export interface AddressFinding {
  readonly kind: 'good' | 'otherPublicUrl' | 'needsPublicUrl' | 'proxyIgnored' | 'onlyHere' | 'notEncrypted';
  readonly isFault: boolean;
  /** Address that the text names: the one that the server tells players, or that of the proxy. */
  readonly about: string;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const bare = (address: string): string => address.replace(/\/+$/, '');

/**
 * Compares the address under which the page was opened with what the server knows of it.
 * @param page address of the page, ending with a slash
 */
export const addressFindings = (
  { baseUrl, publicUrl, proxy, clientAddress }: Managed['Connection'],
  page: string,
): readonly AddressFinding[] => {
  const { hostname, protocol, origin } = new URL(page);
  const isHere = LOOPBACK.test(hostname);
  const findings: AddressFinding[] = [];
  if (publicUrl !== null && bare(publicUrl) !== bare(page)) findings.push({ kind: 'otherPublicUrl', isFault: true, about: publicUrl });
  const isLedElsewhere = publicUrl === null && (new URL(baseUrl).origin !== origin || bare(page) !== origin);
  if (isLedElsewhere) findings.push({ kind: 'needsPublicUrl', isFault: true, about: baseUrl });
  if (proxy === 'ignored') findings.push({ kind: 'proxyIgnored', isFault: true, about: clientAddress });
  if (isHere) findings.push({ kind: 'onlyHere', isFault: false, about: page });
  if (!isHere && protocol === 'http:') findings.push({ kind: 'notEncrypted', isFault: false, about: page });
  return findings.length === 0 ? [{ kind: 'good', isFault: false, about: page }] : findings;
};
