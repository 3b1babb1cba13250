import type { Profile } from '../render/object-table.js';
import type { XmlStyle } from '../render/xml.js';
import type { CompatErrorCode } from './errors.js';

/** The two forms of an answer: the protocol as it was published last, or with the OpenSubsonic additions. */
export interface CompatPolicy {
  readonly name: 'legacy' | 'extended';
  /** Which rows of an object table are written, and how their values are spelled. */
  readonly profile: Profile;
  /** The number under which this form reports an error. */
  readonly errorCode: (code: CompatErrorCode) => CompatErrorCode;
}

/** Booleans are words in both formats, ids are always text (compat facts, section 3.1). */
const profile = (open: boolean): Profile => ({ version: 1, open, booleans: 'word', ids: 'text' });

/** XML spelling of this surface. */
export const compatXml: XmlStyle = { booleans: 'word' };

/** Everything we have; the default, and the form of every answer to a caller who is not known (yet). */
export const extended: CompatPolicy = { name: 'extended', profile: profile(true), errorCode: (code) => code };

const ONLY_EXTENDED: ReadonlySet<CompatErrorCode> = new Set([42, 43, 44]);

/** Pure 1.16.1: no field and no error number that its schema does not know (compat facts, sections 4 and 6). */
export const legacy: CompatPolicy = { name: 'legacy', profile: profile(false), errorCode: (code) => (ONLY_EXTENDED.has(code) ? 40 : code) };
