import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** The published read model. The role behind it may only read. */
export type ReadDatabase = Kysely<ReadModel>;

/** Reads the published read model. */
export interface HasReadModel {
  readonly db: ReadDatabase;
}
