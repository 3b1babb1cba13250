import type { IdList } from '../../../../reads/lists/id-list.js';
import { pageResult } from '../../paging.js';
import type { NativeResult } from '../../result.js';
import { nativeTypes, type ListedType, type NativeType, type Page } from './native-types.js';
import { badValue, featureOff, oneOf } from '../../errors/native-fault.js';
import type { CallerCall } from '../../method.js';
import type { HasConfig } from '../../../../server/needs.js';
import { requireKind } from '../../require-kind.js';

/** Media types whose catalogs are browsed. */
export const browsableMedia = ({ services }: Pick<CallerCall<unknown, HasConfig>, 'services'>): readonly string[] => [
  'music',
  ...(services.config.ALLOW_VIDEO ? ['video'] : []),
  ...(services.config.PODCAST ? ['podcast'] : []),
];

/** Rejects a catalog's media type when its feature is off. @throws NativeRefusal 4703 */
export const requireBrowsable = (call: Pick<CallerCall<unknown, HasConfig>, 'services'>, gatherTypes: string): void => {
  if (!browsableMedia(call).includes(gatherTypes)) throw featureOff(gatherTypes);
};

/** A listed type by its requested name. */
export interface NamedType extends ListedType {
  readonly name: string;
}

const types: Readonly<Record<string, NativeType>> = nativeTypes;

/**
 * Parses a type, ignoring letter case.
 * @throws NativeRefusal 4703 when its feature is off, 4710 when the version does not have it
 */
export const listedType = ({ policy, services }: Pick<CallerCall<unknown, HasConfig>, 'policy' | 'services'>, text: string): NamedType => {
  const name = text.trim().toLowerCase();
  requireKind({ services }, name);
  const listed = Object.hasOwn(types, name) ? types[name]?.listed : undefined;
  if (!listed || listed.since > policy.version)
    throw badValue('type', text, oneOf(Object.keys(types).filter((type) => types[type]?.listed)));
  return { ...listed, name };
};

/** A page of objects for `get_indexes`: complete in JSON, names only in XML unless children are included. */
export const objectsOf = (call: Page, name: string, list: IdList, expanded: boolean): Promise<NativeResult> => {
  const type = types[name];
  if (!type) throw badValue('type', name, 'must be a type that is listed');
  if (expanded && type.expanded) return type.expanded(call, list);
  return (type.indexed ?? type.shaped)(call, call.format === 'xml', (shape) => pageResult(call, list, shape));
};
