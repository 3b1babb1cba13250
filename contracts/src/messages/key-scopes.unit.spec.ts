import { describe, expect, it } from 'vitest';
import { hasScope, keyScopes, scopesIncluding } from './key-scopes.js';

describe('scopes of keys', () => {
  it('include reading where writing is allowed, and one family where all are', () => {
    expect(scopesIncluding('manage:read:scans')).toEqual(['manage:read', 'manage:read:scans', 'manage:write', 'manage:write:scans']);
    expect(scopesIncluding('manage:write:scans')).toEqual(['manage:write', 'manage:write:scans']);
    expect(scopesIncluding('listen')).toEqual(['listen']);
  });

  it('never include more than they name', () => {
    expect(hasScope(['manage:read:scans'], 'manage:write:scans')).toBe(false);
    expect(hasScope(['manage:write:scans'], 'manage:read:catalogs')).toBe(false);
    expect(hasScope(['manage:write:scans'], 'manage:read')).toBe(false);
    expect(hasScope(['manage:write'], 'listen')).toBe(false);
    expect(hasScope([], 'listen')).toBe(false);
  });

  it('are all there for a key that has no list of them', () => {
    expect(keyScopes.every((scope) => hasScope(undefined, scope))).toBe(true);
  });
});
