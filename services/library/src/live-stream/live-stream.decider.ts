import type { Aggregate } from '@continuo/chassis';
import {
  liveStreamChanged,
  liveStreamCreated,
  liveStreamDeleted,
  Rejection,
  type LiveStreamEvent,
  type LiveStreamId,
  type LiveStreamTerms,
} from '@continuo/contracts';
import { differing } from '../list-terms/list-terms.js';

/** Commands of a station. */
export type LiveStreamCommand = { readonly liveStreamId: LiveStreamId } & (
  | { readonly type: 'create'; readonly terms: LiveStreamTerms }
  | { readonly type: 'change'; readonly changes: { readonly [K in keyof LiveStreamTerms]?: LiveStreamTerms[K] | undefined } }
  | { readonly type: 'delete' }
);

/** A station: not yet there, there with its terms, or gone. */
export type LiveStreamState = { readonly status: 'none' | 'deleted' } | { readonly status: 'present'; readonly terms: LiveStreamTerms };

const decide = (state: LiveStreamState, command: LiveStreamCommand): readonly LiveStreamEvent[] => {
  const { liveStreamId } = command;
  switch (command.type) {
    case 'create':
      // The number was given out twice, as after a loss of the database: the caller takes the next one.
      if (state.status !== 'none') throw new Rejection('conflict', `live stream ${liveStreamId} exists`);
      return [liveStreamCreated({ liveStreamId, ...command.terms })];
    case 'change': {
      if (state.status !== 'present') throw new Rejection('live-stream.not-found', undefined, String(liveStreamId));
      const changes = differing(state.terms, command.changes);
      return Object.keys(changes).length === 0 ? [] : [liveStreamChanged({ liveStreamId, ...changes })];
    }
    case 'delete':
      return state.status === 'present' ? [liveStreamDeleted({ liveStreamId, catalogId: state.terms.catalogId })] : [];
  }
};

const evolve = (state: LiveStreamState, event: LiveStreamEvent): LiveStreamState => {
  switch (event.type) {
    case 'LiveStreamCreated': {
      const { liveStreamId: _, ...terms } = event.data;
      return { status: 'present', terms };
    }
    case 'LiveStreamChanged': {
      if (state.status !== 'present') return state;
      const { liveStreamId: _, ...changes } = event.data;
      return { status: 'present', terms: { ...state.terms, ...changes } };
    }
    case 'LiveStreamDeleted':
      return { status: 'deleted' };
  }
};

/** One radio station. */
export const liveStream: Aggregate<LiveStreamState, LiveStreamCommand, LiveStreamEvent> = {
  context: 'library',
  kind: 'live-stream',
  initialState: { status: 'none' },
  decide,
  evolve,
};
