import {
  accountFull,
  type AggregateRunner,
  decision,
  type Decision,
  decisionMeta,
  done,
  type DecisionMeta,
  type DecisionOutcome,
  HandlesCommand,
  HandlesEvents,
  isConflict,
  KeyedMutex,
  retryConflicts,
  type JobDelivery,
  type RecordedOf,
  type CommandOf,
  type AnswerTo,
  positionsOf,
} from '@continuo/chassis';
import {
  MAX_REMOVED_BOOKMARKS,
  moveBookmark,
  placeBookmark,
  Rejection,
  removeBookmarks,
  userDeleted,
  type BookmarkId,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { BookmarkIds } from './bookmark-ids.js';
import type { BookmarkLabels } from './bookmark-labels.js';
import { bookmark, isSameKey, type BookmarkKey, type KeptLabel } from './bookmark.decider.js';

/** Dependencies of the handlers of bookmarks. */
export interface BookmarkDependencies {
  readonly aggregates: AggregateRunner;
  readonly ids: BookmarkIds;
  readonly labels: BookmarkLabels;
  /** Largest number of bookmarks of an account. */
  readonly most: number;
}

/** Injection token of the {@link BookmarkDependencies}. */
export const BOOKMARK_DEPENDENCIES = Symbol('BookmarkDependencies');

/** Number of taken ids skipped before giving up; they only occur after a loss of the database. */
const ID_TRIES = 25;
/** Rounds of the runner's own tries: of two devices that move a bookmark at once the last one wins, none is refused. */
const ROUNDS = 3;

/** Answers the commands about bookmarks. */
@Controller()
export class BookmarkController {
  readonly #mutex = new KeyedMutex();

  constructor(@Inject(BOOKMARK_DEPENDENCIES) private readonly tools: BookmarkDependencies) {}

  /** Puts a bookmark into something. */
  @HandlesCommand(placeBookmark)
  place(message: CommandOf<typeof placeBookmark>): AnswerTo<typeof placeBookmark> {
    const { userId, objectType, objectId, label, isApart, isOnly } = message.data;
    return this.#mutex.run(userId, async () => {
      const kept = label === undefined ? undefined : await this.tools.labels.keep(userId, label);
      const key = { userId, objectType, objectId, slot: isApart ? (kept?.labelDigest ?? '') : '' };
      if (await this.tools.ids.isOneTooMany(key, this.tools.most)) throw accountFull({ name: 'bookmarks', most: this.tools.most });
      const others = isOnly ? await this.tools.ids.inObject(key) : [];
      const { id, outcome } = await this.#placed(message, key, kept, others);
      return { result: { bookmarkId: id }, positions: positionsOf(outcome) };
    });
  }

  /** Moves a bookmark. */
  @HandlesCommand(moveBookmark)
  async move(message: CommandOf<typeof moveBookmark>): AnswerTo<typeof moveBookmark> {
    const { userId, bookmarkId } = message.data;
    const what = decision(bookmark, bookmarkId, { type: 'move', ...message.data });
    return this.#mutex.run(userId, async () => done(this.#run([what], decisionMeta(message))));
  }

  /** Removes bookmarks. */
  @HandlesCommand(removeBookmarks)
  async remove(message: CommandOf<typeof removeBookmarks>): AnswerTo<typeof removeBookmarks> {
    const { userId, bookmarkIds } = message.data;
    const all = [...new Set(bookmarkIds)].map((bookmarkId) => decision(bookmark, bookmarkId, { type: 'remove', userId, bookmarkId }));
    return this.#mutex.run(userId, async () => done(this.#run(all, decisionMeta(message))));
  }

  /** Removes the bookmarks of deleted accounts: their labels lie open in the tables. */
  @HandlesEvents('identity', 'end-bookmarks', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async removeAll({ id, at, data: { userId } }: RecordedOf<typeof userDeleted>, delivery: JobDelivery): Promise<void> {
    const { actor, correlationId, causationId } = delivery;
    const ids = await this.tools.ids.ofUser(userId);
    for (let from = 0; from < ids.length; from += MAX_REMOVED_BOOKMARKS) {
      const some = ids.slice(from, from + MAX_REMOVED_BOOKMARKS);
      const all = some.map((bookmarkId) => decision(bookmark, bookmarkId, { type: 'remove', userId, bookmarkId }));
      await this.#run(all, { actor, correlationId, causationId, commandId: `${id}-bookmarks-${from}`, at });
    }
  }

  async #placed(
    message: CommandOf<typeof placeBookmark>,
    key: BookmarkKey,
    label: KeptLabel | undefined,
    others: readonly BookmarkId[],
  ): Promise<{ id: BookmarkId; outcome: DecisionOutcome }> {
    const { positionMs, placedAtMs } = message.data;
    let id = await this.tools.ids.of(key);
    for (let attempt = 1; attempt <= ID_TRIES; attempt += 1) {
      const bookmarkId = id;
      const ended = others
        .filter((other) => other !== bookmarkId)
        .slice(0, MAX_REMOVED_BOOKMARKS)
        .map((other) => decision(bookmark, other, { type: 'remove', userId: key.userId, bookmarkId: other }));
      const placing = decision(bookmark, id, { type: 'place', bookmarkId, key, label, positionMs, placedAtMs });
      try {
        return { id, outcome: await this.#run([placing, ...ended], decisionMeta(message)) };
      } catch (error) {
        if (!isConflict(error) || (await this.#isItself(id, key))) throw error;
        id = await this.tools.ids.another(key);
      }
    }
    throw new Rejection('unavailable', 'the bookmarks are being rebuilt; try again shortly');
  }

  /** False for a number under which the log has another bookmark. */
  async #isItself(id: BookmarkId, key: BookmarkKey): Promise<boolean> {
    const { state } = await this.tools.aggregates.load(bookmark, id);
    return state.key === null || isSameKey(state.key, key);
  }

  #run(decisions: readonly Decision[], meta: DecisionMeta): Promise<DecisionOutcome> {
    return retryConflicts(ROUNDS, () => this.tools.aggregates.run(decisions, meta));
  }
}
