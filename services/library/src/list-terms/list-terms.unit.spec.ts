import { userId } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { differing, withoutAccount } from './list-terms.js';

const [ada, bob] = [userId.parse(1), userId.parse(2)];

describe('what differs', () => {
  it('is what is given and is not so already, lists by what is in them', () => {
    const terms = { name: 'Evening', isPublic: false, ids: [1, 2], parent: null as number | null };
    expect(differing(terms, { name: 'Evening', isPublic: true, ids: [1, 2], parent: undefined })).toEqual({ isPublic: true });
    expect(differing(terms, { ids: [2, 1], parent: 3 })).toEqual({ ids: [2, 1], parent: 3 });
    expect(differing(terms, {})).toEqual({});
  });
});

describe('a list without an account', () => {
  const of = (ownerId: typeof ada | null, isPublic: boolean, collaboratorIds: (typeof ada)[]) => ({ ownerId, isPublic, collaboratorIds });

  it('ends when nobody else could see it', () => {
    expect(withoutAccount(of(ada, false, []), ada)).toBe('ended');
    expect(withoutAccount(of(ada, false, [ada]), ada)).toBe('ended');
  });

  it('goes to the system when others could', () => {
    expect(withoutAccount(of(ada, true, []), ada)).toEqual({ ownerId: null });
    expect(withoutAccount(of(ada, false, [bob]), ada)).toEqual({ ownerId: null });
    expect(withoutAccount(of(ada, true, [ada, bob]), ada)).toEqual({ ownerId: null, collaboratorIds: [bob] });
  });

  it('has one collaborator less, or is left as it is', () => {
    expect(withoutAccount(of(bob, false, [ada]), ada)).toEqual({ collaboratorIds: [] });
    expect(withoutAccount(of(bob, false, []), ada)).toBe('as it is');
    expect(withoutAccount(of(null, true, [bob]), ada)).toBe('as it is');
  });
});
