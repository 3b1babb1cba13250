import { Rejection } from '@continuo/contracts';
import { apiVersions, type ApiVersion, type Format, type VersionPolicy } from './policy.js';
import { v3 } from './v3.js';
import { v4 } from './v4.js';
import { v5 } from './v5.js';
import { v6 } from './v6.js';
import { v8 } from './v8.js';

const policies: Readonly<Record<ApiVersion, VersionPolicy>> = { 3: v3, 4: v4, 5: v5, 6: v6, 8: v8 };

/** Smallest numeric version of clients that get numeric versions. */
const FIRST_NUMERIC = 350_001;

/** True for a client that spells versions as numbers, such as 390001. */
export const isNumericVersion = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= FIRST_NUMERIC;

const dialects: Readonly<Record<string, ApiVersion>> = { '0': 3, '1': 3, '2': 3, '3': 3, '4': 4, '5': 5, '6': 6, '8': 8 };

/**
 * Dialect of a version text: its first character decides, none means the newest, and version 3 in JSON is version 6. Undefined when there is
 * none.
 * JSON is version 6. Undefined when there is none.
 */
export const dialectOf = (text: string, format: Format): ApiVersion | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return 8;
  const version = dialects[trimmed.charAt(0)];
  return version === 3 && format === 'json' ? 6 : version;
};

/**
 * Policy for a version text: of its dialect, or of the next newer one that is served. Undefined when there is none.
 */
export const policyFor = (text: string, format: Format, served: readonly ApiVersion[] = apiVersions): VersionPolicy | undefined => {
  const asked = dialectOf(text, format);
  const version = asked && apiVersions.find((one) => one >= asked && served.includes(one));
  return version && policies[version];
};

/** Version preferences of an account. */
export interface OwnVersions {
  readonly isOn: (version: ApiVersion) => boolean;
  /** Version that is always used. */
  readonly forced: ApiVersion | undefined;
}

/** Policy for an account: disabled versions are replaced by newer ones, and a forced version wins. */
export const ownPolicyFor = (
  text: string,
  format: Format,
  served: readonly ApiVersion[],
  { isOn, forced }: OwnVersions,
): VersionPolicy | undefined =>
  forced === undefined ? policyFor(text, format, served.filter(isOn)) : policyFor(String(forced), format, served);

/**
 * Version of a REST session: the client's own text if it matches the path, else the path's.
 * path's.
 */
export const requestedRestVersion = (named: string, pathVersion: string): string => {
  const version = dialectOf(pathVersion, 'xml');
  if (version === undefined || (named !== '' && dialectOf(named, 'xml') === version)) return named;
  return policies[version].api.dotted;
};

/**
 * Rejects a handshake with a version that its dialect never had: versions 3 and 4 were always numeric.
 * @throws Rejection `auth.failed`, subject `version`
 */
export const checkHandshake = (text: string): void => {
  const version = dialectOf(text, 'xml');
  const fits = version === undefined || version > 4 || Number(text.trim()) >= FIRST_NUMERIC;
  if (!fits) throw new Rejection('auth.failed', 'Login failed: the API version is too old', 'version');
};
