import type { Aggregate } from '@continuo/chassis';
import { objectFlagged, objectRated, objectUnflagged, type AnnotatedKind, type AnnotationEvent, type UserId } from '@continuo/contracts';

/** So many neighbouring ids share an aggregate: the songs of an album are in one or two. */
const IDS_PER_AGGREGATE = 256;

/**
 * The aggregate that keeps what a user says of a thing: by user, kind and block of ids. One per thing would cost the log's memory a subject for every favourite, one per
 * user would grow without end; a block has at most 256 things, however many favourites its user has.
 */
export const annotationsId = (userId: UserId, kind: AnnotatedKind, objectId: number): string =>
  `${userId}-${kind}-${Math.floor(objectId / IDS_PER_AGGREGATE)}`;

/** Rating and flag of the things of one block. */
interface About {
  readonly userId: UserId;
  readonly kind: AnnotatedKind;
}
/** Rates one thing, flags or unflags several, or takes back whatever was said of the block. Without `flaggedAtMs` a favourite keeps its time, and a new one has `nowMs`. */
export type AnnotationCommand = About &
  (
    | { readonly type: 'rate'; readonly objectId: number; readonly rating: number }
    | { readonly type: 'flag'; readonly objectIds: readonly number[]; readonly flaggedAtMs: number | undefined; readonly nowMs: number }
    | { readonly type: 'unflag'; readonly objectIds: readonly number[] }
    | { readonly type: 'forget' }
  );

/** Ratings and times of favourites by id. */
export interface AnnotationsState {
  readonly ratings: Readonly<Record<number, number>>;
  readonly flags: Readonly<Record<number, number>>;
}

const without = (known: Readonly<Record<number, number>>, id: number): Record<number, number> => {
  const { [id]: _gone, ...rest } = known;
  return rest;
};

const idsOf = (known: Readonly<Record<number, number>>): number[] => Object.keys(known).map(Number);

const decide = (state: AnnotationsState, command: AnnotationCommand): readonly AnnotationEvent[] => {
  const { userId, kind } = command;
  switch (command.type) {
    case 'rate': {
      const { objectId, rating } = command;
      return (state.ratings[objectId] ?? 0) === rating ? [] : [objectRated({ userId, kind, objectId, rating })];
    }
    case 'flag': {
      const wanted = (objectId: number): number => command.flaggedAtMs ?? state.flags[objectId] ?? command.nowMs;
      return [...new Set(command.objectIds)].flatMap((objectId) =>
        state.flags[objectId] === wanted(objectId) ? [] : [objectFlagged({ userId, kind, objectId, flaggedAtMs: wanted(objectId) })],
      );
    }
    case 'unflag':
      return [...new Set(command.objectIds)].flatMap((objectId) =>
        state.flags[objectId] === undefined ? [] : [objectUnflagged({ userId, kind, objectId })],
      );
    case 'forget':
      return [
        ...idsOf(state.ratings).map((objectId) => objectRated({ userId, kind, objectId, rating: 0 })),
        ...idsOf(state.flags).map((objectId) => objectUnflagged({ userId, kind, objectId })),
      ];
    default:
      return command satisfies never;
  }
};

const evolve = (state: AnnotationsState, event: AnnotationEvent): AnnotationsState => {
  switch (event.type) {
    case 'ObjectRated': {
      const { objectId, rating } = event.data;
      return { ...state, ratings: rating === 0 ? without(state.ratings, objectId) : { ...state.ratings, [objectId]: rating } };
    }
    case 'ObjectFlagged':
      return { ...state, flags: { ...state.flags, [event.data.objectId]: event.data.flaggedAtMs } };
    case 'ObjectUnflagged':
      return { ...state, flags: without(state.flags, event.data.objectId) };
    default:
      return state;
  }
};

/** Ratings and flags of one user for one block of things; the id is {@link annotationsId}'s. */
export const annotations: Aggregate<AnnotationsState, AnnotationCommand, AnnotationEvent> = {
  context: 'social',
  kind: 'annotations',
  initialState: { ratings: {}, flags: {} },
  decide,
  evolve,
};
