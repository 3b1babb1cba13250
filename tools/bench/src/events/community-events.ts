import type { AppendPart } from '@continuo/chassis';
import { objectFlagged, objectRated, userFollowed, type AnnotatedKind, type DomainEvent, type UserId } from '@continuo/contracts';
import { type Random, randomFor } from '@continuo/media-fixtures';

/** Size of a community and its library. */
export interface CommunityPlan {
  readonly songs: number;
  readonly albums: number;
  /** Accounts that there are, numbered without a gap. */
  readonly accounts: readonly UserId[];
  readonly ratingsEach: number;
  readonly flagsEach: number;
  readonly followsEach: number;
  /** When the first of them said something; an account says something every minute. Epoch milliseconds. */
  readonly fromMs: number;
}

/** Ids that the log keeps together; the social service's own rule, so that what is written here can be changed there. */
const IDS_PER_AGGREGATE = 256;
/** Songs in a row that somebody rates: people rate albums. */
const IN_A_ROW = 10;

interface Said {
  readonly kind: AnnotatedKind;
  readonly objectId: number;
  readonly event: DomainEvent;
}

const ratedSongs = (random: Random, { songs, ratingsEach }: CommunityPlan): number[] => {
  const ids = new Set<number>();
  while (ids.size < Math.min(ratingsEach, songs / 2)) {
    const first = 1 + random.below(Math.max(1, songs - IN_A_ROW));
    for (let n = 0; n < IN_A_ROW && ids.size < ratingsEach; n += 1) ids.add(first + n);
  }
  return [...ids];
};

const saidBy = (userId: UserId, plan: CommunityPlan): Said[] => {
  const random = randomFor(1, `community ${userId}`);
  const ratings = ratedSongs(random, plan).map((objectId): Said => {
    const kind = 'song' as const;
    return { kind, objectId, event: objectRated({ userId, kind, objectId, rating: 1 + random.below(5) }) };
  });
  const flags = Array.from({ length: plan.flagsEach }, (_, n): Said => {
    const kind = n % 2 === 0 ? 'song' : 'album';
    const objectId = 1 + random.below(kind === 'song' ? plan.songs : plan.albums);
    return { kind, objectId, event: objectFlagged({ userId, kind, objectId, flaggedAtMs: plan.fromMs + n * 60_000 }) };
  });
  return [...ratings, ...flags];
};

/** Creates the events of one account as parts of one append. */
export const communityParts = (userId: UserId, plan: CommunityPlan): AppendPart[] => {
  const blocks = Map.groupBy(saidBy(userId, plan), ({ kind, objectId }) => `${userId}-${kind}-${Math.floor(objectId / IDS_PER_AGGREGATE)}`);
  const said = [...blocks].map(([id, things]): AppendPart => ({
    context: 'social',
    aggregate: 'annotations',
    id,
    expectedPosition: 0,
    events: things.map(({ event }) => event),
  }));
  const random = randomFor(2, `community ${userId}`);
  const others = new Set(Array.from({ length: plan.followsEach }, () => random.pick(plan.accounts)).filter((id) => id !== userId));
  const follows = [...others].map((followedId) => userFollowed({ userId, followedId }));
  if (follows.length === 0) return said;
  return [...said, { context: 'social', aggregate: 'follows', id: userId, expectedPosition: 0, events: follows }];
};
