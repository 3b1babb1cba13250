import { Rejection } from '@continuo/contracts';
import { apiVersions, type ApiVersion, type Format, type VersionPolicy } from './policy.js';
import { v3 } from './v3.js';
import { v4 } from './v4.js';
import { v5 } from './v5.js';
import { v6 } from './v6.js';
import { v8 } from './v8.js';

const policies: Readonly<Record<ApiVersion, VersionPolicy>> = { 3: v3, 4: v4, 5: v5, 6: v6, 8: v8 };

/** Client versions from this number on are numeric, and are answered in numbers. */
const FIRST_NUMERIC = 350_001;

/** True for a client that spells versions as numbers, such as 390001. */
export const isNumericVersion = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= FIRST_NUMERIC;

const dialects: Readonly<Record<string, ApiVersion>> = { '0': 3, '1': 3, '2': 3, '3': 3, '4': 4, '5': 5, '6': 6, '8': 8 };

/**
 * The dialect that a version text asks for (native README section 3): its first character decides, no text means the newest, and version 3 in
 * JSON is version 6. Undefined when there is none.
 */
export const dialectOf = (text: string, format: Format): ApiVersion | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return 8;
  const version = dialects[trimmed.charAt(0)];
  return version === 3 && format === 'json' ? 6 : version;
};

/**
 * The policy that answers a version text: that of the dialect which it asks for, or of the next newer one that is served. Undefined when there is none.
 */
export const policyFor = (text: string, format: Format, served: readonly ApiVersion[] = apiVersions): VersionPolicy | undefined => {
  const asked = dialectOf(text, format);
  const version = asked && apiVersions.find((one) => one >= asked && served.includes(one));
  return version && policies[version];
};

/** What an account has chosen for itself. */
export interface OwnVersions {
  readonly isOn: (version: ApiVersion) => boolean;
  /** The version that answers whatever is asked for. */
  readonly forced: ApiVersion | undefined;
}

/** The same for an account: versions that it switched off move up as well, and one that it forces comes before everything (native README section 3). */
export const ownPolicyFor = (
  text: string,
  format: Format,
  served: readonly ApiVersion[],
  { isOn, forced }: OwnVersions,
): VersionPolicy | undefined =>
  forced === undefined ? policyFor(text, format, served.filter(isOn)) : policyFor(String(forced), format, served);

/**
 * The version that a REST call opens a session with or switches it to: the client's own text where it fits the path, which rules, else the
 * path's (choices.md row 5).
 */
export const askedOverRest = (named: string, pathVersion: string): string => {
  const version = dialectOf(pathVersion, 'xml');
  if (version === undefined || (named !== '' && dialectOf(named, 'xml') === version)) return named;
  return policies[version].api.dotted;
};

/**
 * Refuses a handshake whose version is older than its dialect can be: versions 3 and 4 only ever counted in numbers (native README section 3).
 * @throws Rejection `auth.failed`, subject `version`
 */
export const checkHandshake = (text: string): void => {
  const version = dialectOf(text, 'xml');
  const fits = version === undefined || version > 4 || Number(text.trim()) >= FIRST_NUMERIC;
  if (!fits) throw new Rejection('auth.failed', 'Login failed: the API version is too old', 'version');
};
