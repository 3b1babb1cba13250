import { userId, type UserId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** Questions about all accounts, which no single aggregate can answer. */
export interface AccountReads {
  /** Administrators who may log in. */
  administrators(): Promise<readonly UserId[]>;
  /**
   * The account of which this is `SHA256(name + SHA256(address))`, in hex. Only accounts that may recover their password count: those with an address
   * that are neither disabled nor administrators (methods.json, `lost_password`). Every account is compared, so that the time says nothing.
   */
  byRecoveryProof(proof: string): Promise<UserId | undefined>;
}

const ADMINISTRATOR = 100;

/** Answers from the published read model. */
export const accountReads = (db: Kysely<unknown>): AccountReads => ({
  administrators: async () => {
    const { rows } = await sql<{ id: number }>`
      select id from social."user" where access = ${ADMINISTRATOR} and not disabled order by id`.execute(db);
    return rows.map(({ id }) => userId.parse(id));
  },
  byRecoveryProof: async (proof) => {
    // All of them are gone through, whichever matches: there is no order and no limit that could end it early.
    const { rows } = await sql<{ id: number | null }>`
      select min(id) as id from social."user"
      where email <> '' and not disabled and access < ${ADMINISTRATOR}
        and encode(sha256(convert_to(username || encode(sha256(convert_to(email, 'UTF8')), 'hex'), 'UTF8')), 'hex') = ${proof}`.execute(db);
    const id = rows[0]?.id;
    return typeof id === 'number' ? userId.parse(id) : undefined;
  },
});
