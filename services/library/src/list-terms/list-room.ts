import { CONFIG, DATABASE, requireRoom } from '@continuo/chassis';
import type { UserId } from '@continuo/contracts';
import { Inject } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { LibraryConfig } from '../config.js';

type Limits = Pick<LibraryConfig, 'PLAYLISTS_PER_ACCOUNT' | 'SMARTLISTS_PER_ACCOUNT' | 'COLLECTIONS_PER_ACCOUNT'>;
/** Kinds of lists that belong to accounts. */
export type ListOfAccount = 'playlist' | 'smartlist' | 'collection';

/** Limits the number of lists per account. */
export class ListRoom {
  readonly #most: Readonly<Record<ListOfAccount, number>>;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    @Inject(CONFIG) limits: Limits,
  ) {
    this.#most = {
      playlist: limits.PLAYLISTS_PER_ACCOUNT,
      smartlist: limits.SMARTLISTS_PER_ACCOUNT,
      collection: limits.COLLECTIONS_PER_ACCOUNT,
    };
  }

  /**
   * Sees that an account may have another list. The server's own lists have no bound.
   * @throws Rejection `account.full`
   */
  async require(kind: ListOfAccount, ownerId: UserId | null): Promise<void> {
    if (ownerId === null) return;
    await requireRoom(this.db, ownerId, { table: `library.${kind}`, owner: 'owner_id', name: `${kind}s`, most: this.#most[kind] });
  }
}
