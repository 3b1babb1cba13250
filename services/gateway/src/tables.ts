import type { AccessLevel } from '@continuo/contracts';
import { compatErrors } from './apis/compat/errors.js';
import { idPrefixes } from './apis/compat/ids.js';
import { listTypes } from './apis/compat/registry/library/lists.endpoints.js';
import { operationNames } from './apis/compat/registry/names.js';
import { endpointOf } from './apis/compat/registry/registry.js';
import { rejectionCodes } from './apis/native/errors/native-fault.js';
import { actionNames, methods } from './apis/native/registry/index.js';
import { modes } from './apis/native/registry/library/statistics.methods.js';
import { nativeTypes } from './apis/native/registry/lists/native-types.js';
import type { ApiVersion } from './apis/native/versions/policy.js';
import { kinds } from './kinds/index.js';
import { typeDefinitions } from './search/index.js';

/** Operation of either API without its implementation, for programs that generate calls. */
export interface TableEntry {
  readonly name: string;
  /** Names of the parameters that it reads, older spellings included. */
  readonly parameters: readonly string[];
  /** True when success is bytes instead of a document. */
  readonly binary: boolean;
  /** Lowest level that may call it; 0 for anybody at all. */
  readonly level: AccessLevel | 0;
}

/** An action of the native API and the versions that have it. */
export interface NativeEntry extends TableEntry {
  readonly versions: readonly ApiVersion[];
}

/** Every action of the native API. */
export const nativeTable: readonly NativeEntry[] = actionNames.map((name) => {
  const row = methods[name];
  const older = Object.values(row.aliases).flat();
  const level = row.kind === 'caller' ? row.access : 0;
  return { name, versions: row.versions, binary: row.binary, level, parameters: [...new Set([...row.parameters, ...older])] };
});

/** An operation of the compatibility API. */
export interface CompatEntry extends TableEntry {
  /** True for one whose failures have an HTTP status of their own beside the envelope. */
  readonly tellsStatus: boolean;
}

/** Every operation of the compatibility API. */
export const compatTable: readonly CompatEntry[] = operationNames.map((name) => {
  const row = endpointOf(name);
  const level = row.access === 'public' ? 0 : row.access.level;
  const tellsStatus = row.kind === 'binary' && row.tellsStatus === true;
  return { name, parameters: Object.keys(row.fields), binary: row.kind === 'binary', level, tellsStatus };
});

/** Words of both APIs, for programs that generate calls. */
export const callWords: Readonly<Record<'kinds' | 'orders' | 'rules' | 'idPrefixes', readonly string[]>> = {
  kinds: [...new Set([...Object.keys(nativeTypes), ...Object.keys(kinds)])],
  orders: [...modes, ...listTypes],
  rules: [...new Set(Object.values(typeDefinitions).flatMap(({ rules }) => rules.map(({ name }) => name)))],
  idPrefixes: Object.values(idPrefixes),
};

/** Numbers that refusals have, in versions 5 to 8 of the native API and in the compatibility API. */
export const errorNumbers: { readonly native: ReadonlySet<number>; readonly compat: ReadonlySet<number> } = {
  native: new Set<number>([4700, 4705, 4706, ...rejectionCodes]),
  compat: new Set<number>([10, 20, 30, 40, 41, 42, 43, 44, ...Object.values(compatErrors)]),
};
