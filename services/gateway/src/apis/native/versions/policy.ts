import type { FieldNode, Node, ObjectNode, Profile } from '../../../render/index.js';
import type { NativeFault } from '../errors/fault.js';

/** API versions. There is no 7. */
export const apiVersions = [3, 4, 5, 6, 8] as const;
export type ApiVersion = (typeof apiVersions)[number];

/** The two output formats. */
export type Format = 'json' | 'xml';

/** A list for a version's envelope. */
export interface ListEnvelope {
  /** Key in JSON, element name in XML: `song`. */
  readonly name: string;
  readonly total: number;
  readonly md5: () => string;
  /** False for kinds without counters, such as users and activities. */
  readonly counted: boolean;
  /** List node in the version's format. */
  readonly items: FieldNode['value'];
  readonly isEmpty: boolean;
}

/** An object for a version's envelope. */
export interface ObjectEnvelope {
  readonly name: string;
  readonly counted: boolean;
  readonly md5: () => string;
  readonly node: ObjectNode;
}

/**
 * Rules of an API version: spelling of values, envelopes of answers and errors. Version 8 is canonical; each older one extends the next
 * newer.
 */
export interface VersionPolicy {
  readonly version: ApiVersion;
  /** Values of `api` and `version`, in the client's spelling. */
  readonly api: { readonly dotted: string; readonly numeric: string };
  readonly profile: Profile;
  /** Withdrawn actions, which answer 4706 instead of 4705. */
  readonly withdrawn: readonly string[];
  /** In XML always an object: the root. */
  list(list: ListEnvelope, format: Format): Node;
  object(object: ObjectEnvelope, format: Format): Node;
  success(message: string, extra: readonly FieldNode[], format: Format): ObjectNode;
  error(fault: NativeFault, action: string, format: Format): ObjectNode;
  /** Message of a successful `goodbye`. */
  farewell(token: string): string;
}
