import type { Aggregate } from '@continuo/chassis';
import {
  Rejection,
  shareChanged,
  shareCreated,
  shareDeleted,
  shareVisited,
  type ShareEvent,
  type ShareId,
  type ShareTerms,
  type UserId,
} from '@continuo/contracts';

type Creation = ReturnType<typeof shareCreated>['data'];
/** Changes of a share's terms, the description sealed under its owner's key. */
type Changes = Partial<ShareTerms> & { readonly userId?: UserId; readonly sealedDescription?: string };

/** Commands of a share. */
export type ShareCommand =
  | { readonly type: 'create'; readonly share: Creation }
  | { readonly type: 'change'; readonly shareId: ShareId; readonly changes: Changes }
  | { readonly type: 'visit'; readonly shareId: ShareId; readonly nowMs: number }
  | { readonly type: 'delete'; readonly shareId: ShareId };

/** State of a share: its terms, and its number of visits. */
export interface ShareState {
  readonly status: 'none' | 'present' | 'deleted';
  readonly terms: ShareTerms;
  readonly visitCount: number;
  /** Owner; null of none. */
  readonly userId: UserId | null;
}

const noTerms: ShareTerms = { description: '', allowStream: false, allowDownload: false, expiresAtMs: null, maxVisits: 0 };

/** Only what is given and differs, so that saying the same again is no event. */
const differing = (terms: ShareTerms, changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([name, value]) => value !== undefined && value !== terms[name as keyof ShareTerms]));

const decideVisit = ({ terms, visitCount }: ShareState, shareId: ShareId, nowMs: number): readonly ShareEvent[] => {
  const isOver = terms.expiresAtMs !== null && terms.expiresAtMs <= nowMs;
  const isUsedUp = terms.maxVisits > 0 && visitCount >= terms.maxVisits;
  if (isOver || isUsedUp) throw new Rejection('share.not-found');
  return [shareVisited({ shareId, visitedAtMs: nowMs })];
};

const decide = (state: ShareState, command: ShareCommand): readonly ShareEvent[] => {
  if (command.type === 'create') {
    // The number was given out twice, as after a loss of the database: the caller takes the next one.
    if (state.status !== 'none') throw new Rejection('conflict', `share ${command.share.shareId} exists`);
    return [shareCreated(command.share)];
  }
  if (command.type === 'delete') return state.status === 'present' ? [shareDeleted({ shareId: command.shareId })] : [];
  if (state.status !== 'present') throw new Rejection('share.not-found');
  if (command.type === 'visit') return decideVisit(state, command.shareId, command.nowMs);
  const changes = differing(state.terms, command.changes);
  return Object.keys(changes).length === 0 ? [] : [shareChanged({ shareId: command.shareId, ...changes })];
};

const evolve = (state: ShareState, event: ShareEvent): ShareState => {
  switch (event.type) {
    case 'ShareCreated': {
      const { userId, description, allowStream, allowDownload, expiresAtMs, maxVisits } = event.data;
      return { status: 'present', terms: { description, allowStream, allowDownload, expiresAtMs, maxVisits }, visitCount: 0, userId };
    }
    case 'ShareChanged': {
      const { shareId: _id, userId: _owner, sealedDescription: _sealed, ...changes } = event.data;
      return { ...state, terms: { ...state.terms, ...changes } };
    }
    case 'ShareVisited':
      return { ...state, visitCount: state.visitCount + 1 };
    case 'ShareDeleted':
      return { ...state, status: 'deleted' };
    default:
      return state;
  }
};

/** One share. */
export const share: Aggregate<ShareState, ShareCommand, ShareEvent> = {
  context: 'social',
  kind: 'share',
  snapshotVersion: 2,
  initialState: { status: 'none', terms: noTerms, visitCount: 0, userId: null },
  decide,
  evolve,
};
