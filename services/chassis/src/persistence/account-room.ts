import { Rejection } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** Things of which an account may have a bounded number. */
export interface Owned {
  /** Published table of the things, with an index that begins with the owner. */
  readonly table: string;
  /** Column of the owner. */
  readonly owner: string;
  /** Plural noun for error messages: `playlists`. */
  readonly name: string;
  readonly most: number;
}

/** The refusal of another thing. */
export const accountFull = ({ name, most }: Pick<Owned, 'name' | 'most'>): Rejection =>
  new Rejection('account.full', `An account may have at most ${most} ${name}`, 'account');

/**
 * Sees that an account may have another thing, by what the read model knows: of things that are made at the same moment a few more may come through.
 * @throws Rejection `account.full`
 */
export const requireRoom = async (db: Kysely<unknown>, ownerId: number, owned: Owned): Promise<void> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from ${sql.table(owned.table)} where ${sql.ref(owned.owner)} = ${ownerId} limit ${owned.most}) t`.execute(db);
  if ((rows[0]?.count ?? 0) >= owned.most) throw accountFull(owned);
};
