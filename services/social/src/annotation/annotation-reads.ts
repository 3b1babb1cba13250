import type { AnnotatedKind, UserId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** A thing that an account has rated or made a favourite. */
export interface Opinion {
  readonly kind: AnnotatedKind;
  readonly objectId: number;
}

/** Reads the ratings and flags of accounts from the read model. */
export interface AnnotationReads {
  /** Everything that the account has rated or made a favourite. */
  ofUser(userId: UserId): Promise<readonly Opinion[]>;
}

/** Opinions from the published tables. */
export const annotationReads = (db: Kysely<unknown>): AnnotationReads => ({
  ofUser: async (userId) => {
    const { rows } = await sql<Opinion>`select kind, object_id as "objectId" from social.rating where user_id = ${userId}
      union select kind, object_id from social.user_flag where user_id = ${userId} order by 1, 2`.execute(db);
    return rows;
  },
});
