import { describe, expect, it } from 'vitest';
import { readsElsewhere, replicaSide, sameSide } from './read-side.js';

describe('reads go elsewhere', () => {
  const DATABASE_URL = 'postgres://continuo:secret@db:5432/continuo';
  it.each([
    [undefined, false],
    ['postgres://reader:other@db/continuo', false],
    ['postgresql://reader@db:5432/continuo?sslmode=require', false],
    ['postgres://reader:other@replica:5432/continuo', true],
    ['postgres://reader:other@db:5433/continuo', true],
    ['postgres://reader:other@db:5432/copy', true],
    ['postgres:///continuo?host=/run/postgresql', true],
    ['host=db dbname=continuo', true],
  ])('with %s: %s', (DATABASE_READ_URL, elsewhere) => {
    expect(readsElsewhere({ DATABASE_URL, DATABASE_READ_URL })).toBe(elsewhere);
  });
});

describe('a replica', () => {
  const of = (positions: Record<string, number>) => async (): Promise<ReadonlyMap<string, number>> => new Map(Object.entries(positions));

  it('is waited for until it has what was committed at the time of the call', async () => {
    const committed = { accounts: 5, keys: 2, plays: 70 };
    const there: Record<string, number> = { accounts: 4, plays: 1 };
    let looks = 0;
    const readCheckpoints = (): Promise<ReadonlyMap<string, number>> => {
      looks += 1;
      if (looks === 3) Object.assign(there, { accounts: 6, keys: 2 });
      committed.accounts = 900;
      return of(there)();
    };
    await replicaSide(of(committed), readCheckpoints).caughtUp(['accounts', 'keys', 'unheard-of']);
    expect(looks).toBe(3);
  });

  it('that stays behind makes what needs it unavailable', async () => {
    const side = replicaSide(of({ accounts: 5 }), of({ accounts: 4 }), 30);
    await expect(side.caughtUp(['accounts'])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is not queried when there is none', async () => {
    const asked = (): never => {
      throw new Error('nobody should ask');
    };
    await expect(sameSide(asked).caughtUp(['accounts'])).resolves.toBeUndefined();
  });
});
