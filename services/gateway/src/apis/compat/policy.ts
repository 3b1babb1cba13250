import type { Profile } from '../../render/object-table.js';
import type { XmlStyle } from '../../render/xml-style.js';
import type { CompatErrorCode } from './errors.js';

/** Form of answers: the legacy protocol, or with OpenSubsonic additions. */
export interface CompatPolicy {
  readonly name: 'legacy' | 'extended';
  /** Fields that are written, and the spelling of their values. */
  readonly profile: Profile;
  /** Error code in this form. */
  readonly errorCode: (code: CompatErrorCode) => CompatErrorCode;
}

/** Booleans are words in both formats, ids are strings. */
const profile = (open: boolean): Profile => ({ version: 1, open, booleans: 'word', ids: 'text' });

/** XML spelling of this API. */
export const compatXml: XmlStyle = { booleans: 'word' };

/** Protocol with all additions: the default, and the form for unauthenticated callers. */
export const extended: CompatPolicy = { name: 'extended', profile: profile(true), errorCode: (code) => code };

const ONLY_EXTENDED: ReadonlySet<CompatErrorCode> = new Set([42, 43, 44]);

/** Plain 1.16.1: only fields and error codes of its schema. */
export const legacy: CompatPolicy = { name: 'legacy', profile: profile(false), errorCode: (code) => (ONLY_EXTENDED.has(code) ? 40 : code) };
