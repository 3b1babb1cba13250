import type { ErrorCode } from '@continuo/contracts';
import type { FieldNode, Node, ObjectNode, Profile } from '../../render/index.js';
import type { NativeFault } from '../errors/native-fault.js';

/** API versions that exist. Seven was skipped. */
export const apiVersions = [3, 4, 5, 6, 8] as const;
export type ApiVersion = (typeof apiVersions)[number];

/** The two output formats. */
export type Format = 'json' | 'xml';

/** A list as a version's envelope needs it. */
export interface ListEnvelope {
  /** Key in JSON, element name in XML: `song`. */
  readonly name: string;
  readonly total: number;
  readonly md5: () => string;
  /** False for the kinds that carry no counters: users, activities and the like. */
  readonly counted: boolean;
  /** The items as a list node in the version's format. */
  readonly items: FieldNode['value'];
  readonly isEmpty: boolean;
}

/** One object as a version's envelope needs it. */
export interface ObjectEnvelope {
  readonly name: string;
  readonly counted: boolean;
  readonly md5: () => string;
  readonly node: ObjectNode;
}

/**
 * What is particular to an API version: how values are spelled and how answers and errors are wrapped. Version 8 is canonical; every older one
 * extends the next newer and says only what differs.
 */
export interface VersionPolicy {
  readonly version: ApiVersion;
  /** What is reported as `api` and `version`, in the client's own spelling of versions. */
  readonly api: { readonly dotted: string; readonly numeric: string };
  readonly profile: Profile;
  /** Actions that this version withdrew: answered 4706 instead of 4705. */
  readonly withdrawn: readonly string[];
  /** In XML always an object: the root. */
  list(list: ListEnvelope, format: Format): Node;
  object(object: ObjectEnvelope, format: Format): Node;
  success(message: string, extra: readonly FieldNode[], format: Format): ObjectNode;
  error(fault: NativeFault, action: string, format: Format): ObjectNode;
  /** The text of a successful goodbye. */
  farewell(token: string): string;
  /** The number of every refusal, complete by type. */
  readonly errors: Readonly<Record<ErrorCode, number>>;
}
