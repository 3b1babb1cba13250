import { readFileSync } from 'node:fs';
import type { Shape } from './answer-shapes.js';

const rowsOf = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../contracts/api/${name}.json`, import.meta.url), 'utf8'));

/** A REST path of a native action. */
export interface RestPath {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Parameters whose values the path says. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Parameters, and the variables of the path that fill them. */
  readonly bind?: Readonly<Record<string, string>>;
  /** The first API version with the path, where it is not that of the action. */
  readonly since?: number;
}

/** An action of the native API. */
export interface NativeMethodFacts {
  readonly name: string;
  readonly versions: readonly number[];
  /** Lowest access level; 0 for actions without a session. */
  readonly access: number;
  readonly binary?: boolean;
  readonly spellings?: readonly string[];
  /** Older names of parameters; one that `wins` is used first when both are sent. */
  readonly older?: readonly { readonly older: string; readonly today: string; readonly wins?: boolean }[];
  readonly paths?: readonly RestPath[];
}

/** A search rule. */
export interface SearchRuleFacts {
  readonly name: string;
  readonly label: string;
  readonly family: string;
  readonly widget: string;
  readonly group?: string;
  readonly aliases?: readonly string[];
  readonly gated?: boolean;
}

/** An operation of the compatibility API. */
export interface EndpointFacts {
  readonly name: string;
  readonly parameters?: readonly string[];
  readonly binary?: boolean;
  /** The role that it needs; none for every account. */
  readonly role?: string;
  /** Fields of a successful answer beside its envelope. */
  readonly answer?: Readonly<Record<string, Shape>>;
}

interface Named {
  readonly name: string;
}

/** Actions that this server adds to those of the specification. */
const addedMethods: readonly NativeMethodFacts[] = [
  { name: 'play_queue', versions: [8], access: 5, paths: [{ verb: 'GET', path: '/play_queue' }] },
  { name: 'play_queue_edit', versions: [8], access: 5, paths: [{ verb: 'PATCH', path: '/play_queue' }] },
  {
    name: 'smartlist_create',
    versions: [8],
    access: 5,
    spellings: ['smartlists_create'],
    paths: [{ verb: 'PUT', path: '/smartlists' }],
  },
  {
    name: 'smartlist_edit',
    versions: [8],
    access: 5,
    spellings: ['smartlists_edit'],
    paths: [{ verb: 'PATCH', path: '/smartlists/{smartlist_id}', bind: { filter: 'smartlist_id' } }],
  },
  {
    name: 'smartlist_rules',
    versions: [8],
    access: 5,
    paths: [{ verb: 'GET', path: '/smartlists/{smartlist_id}/rules', bind: { filter: 'smartlist_id' } }],
  },
  { name: 'years', versions: [8], access: 5, paths: [{ verb: 'GET', path: '/years' }] },
  {
    name: 'initials',
    versions: [8],
    access: 5,
    paths: ['songs', 'albums', 'artists'].map((type) => ({ verb: 'GET', path: `/${type}/initials`, fixed: { type: type.slice(0, -1) } })),
  },
  { name: 'listening', versions: [8], access: 5, paths: [{ verb: 'GET', path: '/me/listening' }] },
  { name: 'heard', versions: [8], access: 5, paths: [{ verb: 'GET', path: '/me/heard' }] },
  {
    name: 'video_captions',
    versions: [8],
    access: 5,
    paths: [{ verb: 'GET', path: '/videos/{video_id}/captions', bind: { filter: 'video_id' } }],
  },
];

/** Actions of the native API. */
export const nativeMethods: readonly NativeMethodFacts[] = [...(rowsOf('native-methods') as readonly NativeMethodFacts[]), ...addedMethods];
/** Filters and orders of each kind of list. */
export const nativeLists = rowsOf('native-lists') as readonly (Named & {
  readonly filters: readonly string[];
  readonly sorts: readonly string[];
})[];
/** Codes of the operators of each family of search rules, by number. */
export const searchOperators = rowsOf('native-search-operators') as readonly (Named & {
  readonly count: number;
  readonly codes: readonly string[];
})[];
/** Search rules of each searched type. */
export const searchRules = rowsOf('native-search-rules') as readonly (Named & { readonly rules: readonly SearchRuleFacts[] })[];
/** Names of the preferences that clients ask for, of accounts and of the server. */
export const nativePreferences = rowsOf('native-preferences') as readonly (Named & { readonly preferences: readonly string[] })[];
/** Types of native JSON answers, by version. */
export const nativeAnswers = rowsOf('native-answers') as readonly (Named & { readonly version: number; readonly shape: Shape })[];
/** Operations of the compatibility API. */
export const compatEndpoints = rowsOf('compat-endpoints') as readonly EndpointFacts[];
/** Types of the compatibility API's JSON answers. */
export const compatAnswers = rowsOf('compat-answers') as readonly (Named & { readonly shape: Shape })[];
/** Types of the XML answers to clients of the original server. */
export const legacyXmlTypes = rowsOf('compat-legacy-xml') as readonly (Named & { readonly shape: Shape })[];
