import type { ApiVersion, Format, VersionPolicy } from './policy.js';
import { v3 } from './v3.js';
import { v4 } from './v4.js';
import { v5 } from './v5.js';
import { v6 } from './v6.js';
import { v8 } from './v8.js';

/** The versions that are served. One that is missing here is answered 4700. */
export const policies: Readonly<Partial<Record<ApiVersion, VersionPolicy>>> = { 3: v3, 4: v4, 5: v5, 6: v6, 8: v8 };

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

/** The policy of the dialect that a version text asks for; undefined when this server does not serve it. */
export const policyFor = (text: string, format: Format): VersionPolicy | undefined => {
  const version = dialectOf(text, format);
  return version && policies[version];
};
