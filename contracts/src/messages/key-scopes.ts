import { z } from 'zod';

/** Families of the management API: the first part of a path, and the last part of a scope. */
export const manageFamilies = [
  'account',
  'accounts',
  'keys',
  'access-list',
  'catalogs',
  'catalog-groups',
  'scans',
  'genres',
  'smartlists',
  'shouts',
  'playlists',
  'ratings',
  'songs',
  'podcasts',
  'webhooks',
  'relay',
  'plugins',
  'transcoding',
  'sonic',
  'projections',
  'search-indexes',
  'queues',
  'dead-letters',
  'backups',
  'checks',
  'settings',
  'replicas',
  'audit',
] as const;
export type ManageFamily = (typeof manageFamilies)[number];

/** Scope of a key: `listen` for the APIs of players, `manage:…` for the management API, whole or by family. `write` includes `read`. */
export type KeyScope = 'listen' | `manage:${'read' | 'write'}` | `manage:${'read' | 'write'}:${ManageFamily}`;

/** All scopes. */
export const keyScopes: readonly KeyScope[] = [
  'listen',
  'manage:read',
  'manage:write',
  ...manageFamilies.flatMap((family) => [`manage:read:${family}`, `manage:write:${family}`] as const),
];

/** One scope of a key. */
export const keyScope = z.enum(keyScopes).meta({ id: 'KeyScope' });

/** The scopes of which any one opens what a scope opens: `manage:read:scans` is opened by `manage:write`, too. */
export const scopesIncluding = (scope: KeyScope): readonly KeyScope[] => {
  const [root, access, family] = scope.split(':') as ['listen' | 'manage', ('read' | 'write')?, ManageFamily?];
  if (root === 'listen' || access === undefined) return [scope];
  const accesses = access === 'read' ? (['read', 'write'] as const) : (['write'] as const);
  return accesses.flatMap((one): KeyScope[] => (family === undefined ? [`manage:${one}`] : [`manage:${one}`, `manage:${one}:${family}`]));
};

/** True when the scopes of a key include one; a key without a list of scopes has them all. */
export const hasScope = (scopes: readonly string[] | undefined, scope: KeyScope): boolean =>
  scopes === undefined || scopesIncluding(scope).some((one) => scopes.includes(one));
