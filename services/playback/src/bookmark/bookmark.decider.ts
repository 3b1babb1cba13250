import type { Aggregate } from '@continuo/chassis';
import {
  bookmarkMoved,
  bookmarkPlaced,
  bookmarkRemoved,
  Rejection,
  type BookmarkEvent,
  type BookmarkId,
  type PlayableType,
  type UserId,
} from '@continuo/contracts';

/** Key of a bookmark: its owner, its medium, and its label where there are several in the same medium. */
export interface BookmarkKey {
  readonly userId: UserId;
  readonly objectType: PlayableType;
  readonly objectId: number;
  /** Digest of the label; empty for the bookmark of the thing itself. */
  readonly slot: string;
}

/** A label as the log keeps it; both empty for none. */
export interface KeptLabel {
  readonly labelDigest: string;
  readonly sealedLabel: string;
}

/** Puts the bookmark somewhere, moves it, or takes it away. Without `label` it keeps what it has. */
export type BookmarkCommand = { readonly bookmarkId: BookmarkId } & (
  | {
      readonly type: 'place';
      readonly key: BookmarkKey;
      readonly label: KeptLabel | undefined;
      readonly positionMs: number;
      readonly placedAtMs: number;
    }
  | { readonly type: 'move'; readonly userId: UserId; readonly positionMs: number; readonly movedAtMs: number }
  | { readonly type: 'remove'; readonly userId: UserId }
);

interface Placed {
  readonly labelDigest: string;
  readonly positionMs: number;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** State of a bookmark. Its number keeps its key for good: a bookmark that comes back is the same one. */
export interface BookmarkState {
  readonly key: BookmarkKey | null;
  /** Null while there is none. */
  readonly placed: Placed | null;
}

/** True for two keys of the same bookmark. */
export const isSameKey = (one: BookmarkKey, other: BookmarkKey): boolean =>
  one.userId === other.userId && one.objectType === other.objectType && one.objectId === other.objectId && one.slot === other.slot;

const factsOf = (bookmarkId: BookmarkId, { userId, objectType, objectId }: BookmarkKey) => ({ bookmarkId, userId, objectType, objectId });

const moved = (state: BookmarkState, bookmarkId: BookmarkId, positionMs: number, changedAtMs: number): readonly BookmarkEvent[] => {
  if (!state.key || !state.placed) throw new Rejection('bookmark.not-found');
  if (state.placed.positionMs === positionMs && state.placed.changedAtMs === changedAtMs) return [];
  return [bookmarkMoved({ ...factsOf(bookmarkId, state.key), positionMs, changedAtMs })];
};

const place = (state: BookmarkState, command: Extract<BookmarkCommand, { type: 'place' }>): readonly BookmarkEvent[] => {
  const { bookmarkId, key, label, positionMs, placedAtMs } = command;
  // The number was given out twice, as after a loss of the database: the caller takes another one.
  if (state.key && !isSameKey(state.key, key)) throw new Rejection('conflict', `bookmark ${bookmarkId} is another one`);
  const { placed } = state;
  if (placed && (label === undefined || label.labelDigest === placed.labelDigest)) return moved(state, bookmarkId, positionMs, placedAtMs);
  const { labelDigest, sealedLabel } = label ?? { labelDigest: '', sealedLabel: '' };
  return [
    bookmarkPlaced({
      ...factsOf(bookmarkId, key),
      isApart: key.slot !== '',
      labelDigest,
      sealedLabel,
      positionMs,
      createdAtMs: placed?.createdAtMs ?? placedAtMs,
      changedAtMs: placedAtMs,
    }),
  ];
};

const decide = (state: BookmarkState, command: BookmarkCommand): readonly BookmarkEvent[] => {
  if (command.type === 'place') return place(state, command);
  const isTheirs = state.key?.userId === command.userId && state.placed !== null;
  if (command.type === 'remove') return isTheirs && state.key ? [bookmarkRemoved(factsOf(command.bookmarkId, state.key))] : [];
  if (!isTheirs) throw new Rejection('bookmark.not-found');
  return moved(state, command.bookmarkId, command.positionMs, command.movedAtMs);
};

const evolve = (state: BookmarkState, event: BookmarkEvent): BookmarkState => {
  switch (event.type) {
    case 'BookmarkPlaced': {
      const { userId, objectType, objectId, isApart, labelDigest, positionMs, createdAtMs, changedAtMs } = event.data;
      const key = { userId, objectType, objectId, slot: isApart ? labelDigest : '' };
      return { key, placed: { labelDigest, positionMs, createdAtMs, changedAtMs } };
    }
    case 'BookmarkMoved': {
      const { positionMs, changedAtMs } = event.data;
      return { ...state, placed: state.placed && { ...state.placed, positionMs, changedAtMs } };
    }
    case 'BookmarkRemoved':
      return { ...state, placed: null };
    default:
      return state;
  }
};

/** One bookmark. */
export const bookmark: Aggregate<BookmarkState, BookmarkCommand, BookmarkEvent> = {
  context: 'playback',
  kind: 'bookmark',
  initialState: { key: null, placed: null },
  decide,
  evolve,
};
