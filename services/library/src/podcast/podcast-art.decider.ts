import type { Aggregate } from '@continuo/chassis';
import { podcastPictured, type ArtRef, type PodcastArtEvent, type PodcastId } from '@continuo/contracts';

/** A picture that was fetched for a podcast. */
export interface PodcastArtCommand {
  readonly type: 'record';
  readonly podcastId: PodcastId;
  readonly imageUrl: string;
  readonly art: ArtRef;
}

/** URL of the picture, and its digest; null: there is none yet. */
export type PodcastArtState = { readonly imageUrl: string; readonly hash: string } | null;

/** The picture of one podcast. */
export const podcastArtAggregate: Aggregate<PodcastArtState, PodcastArtCommand, PodcastArtEvent> = {
  context: 'library',
  kind: 'podcast-art',
  initialState: null,
  decide: (state, { podcastId, imageUrl, art }) =>
    state?.imageUrl === imageUrl && state.hash === art.hash ? [] : [podcastPictured({ podcastId, imageUrl, art })],
  evolve: (_, { data }) => ({ imageUrl: data.imageUrl, hash: data.art.hash }),
};
