import type { AnnotationEvent, FollowEvent, ShareEvent } from '@continuo/contracts';
import { byUser, doing, type Draft, type DraftFamily, type Drafting } from '../draft.js';

type AnnotationData<T extends AnnotationEvent['type']> = Extract<AnnotationEvent, { type: T }>['data'];
type ShareData<T extends ShareEvent['type']> = Extract<ShareEvent, { type: T }>['data'];
type Follow = FollowEvent['data'];

const ADMINISTRATOR = 100;

const rated: Drafting<AnnotationData<'ObjectRated'>> = ({ userId, kind, objectId, rating }) => {
  const about = { kind, id: objectId };
  return [rating === 0 ? doing('rating.removed', userId, { about }) : doing('rating.set', userId, { about, data: { rating } })];
};

/** Public forms of ratings and flags. */
export const annotationFamily: DraftFamily = {
  aggregate: 'annotations',
  types: ['rating.set', 'rating.removed', 'favourite.added', 'favourite.removed'],
  drafts: {
    ObjectRated: rated,
    ObjectFlagged: (({ userId, kind, objectId }) => [
      doing('favourite.added', userId, { about: { kind, id: objectId } }),
    ]) satisfies Drafting<AnnotationData<'ObjectFlagged'>>,
    ObjectUnflagged: (({ userId, kind, objectId }) => [
      doing('favourite.removed', userId, { about: { kind, id: objectId } }),
    ]) satisfies Drafting<AnnotationData<'ObjectUnflagged'>>,
  },
};

/** Builds a follow; it is sent to the followed account whatever the follower keeps private: it stands in the list of followers. */
const follow =
  (type: 'follow.added' | 'follow.removed'): Drafting<Follow> =>
  ({ userId, followedId }): readonly Draft[] => [
    {
      type,
      object: { kind: 'user', id: followedId },
      actor: byUser(userId),
      audience: { owners: [userId, followedId], others: { are: 'doings', userId, unless: 'allow_personal_info_recent' } },
    },
  ];

/** Public forms of follows. */
export const followFamily: DraftFamily = {
  aggregate: 'follows',
  types: ['follow.added', 'follow.removed'],
  drafts: { UserFollowed: follow('follow.added'), UserUnfollowed: follow('follow.removed') },
};

const shareDraft = (type: Draft['type'], id: number, more: Pick<Draft, 'data' | 'actor'> = {}): Draft => ({
  type,
  object: { kind: 'share', id },
  ...more,
  audience: { owners: [], others: { are: 'level', level: ADMINISTRATOR }, termsOf: { kind: 'share', id } },
});

/** Shares go to their owners and to administrators. Their secrets are left out, and of a visitor everything but the visit. */
export const shareFamily: DraftFamily = {
  aggregate: 'share',
  types: ['share.made', 'share.changed', 'share.visited', 'share.deleted'],
  drafts: {
    ShareCreated: (({ shareId, userId, kind, objectIds, expiresAtMs }) => [
      shareDraft('share.made', shareId, {
        actor: byUser(userId),
        data: {
          objects: { type: kind, ids: objectIds.map(String) },
          expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
        },
      }),
    ]) satisfies Drafting<ShareData<'ShareCreated'>>,
    ShareChanged: (({ shareId }) => [shareDraft('share.changed', shareId)]) satisfies Drafting<ShareData<'ShareChanged'>>,
    ShareVisited: (({ shareId }) => [shareDraft('share.visited', shareId, { actor: { type: 'visitor' } })]) satisfies Drafting<
      ShareData<'ShareVisited'>
    >,
    ShareDeleted: (({ shareId }) => [shareDraft('share.deleted', shareId)]) satisfies Drafting<ShareData<'ShareDeleted'>>,
  },
};
