import { sortKey } from '@continuo/contracts';
import type { Viewer } from '../../src/reads/visibility/viewer.js';
import { among, annotated, dates, LEAST, placed, sum, type Keep, type ModelRow, type Order } from './list-model-parts.js';
import type { EpisodeFact, LibraryFacts, PodcastFact } from '../library/random-facts.js';

/** Filters and orders by plays of episodes. */
const heard = (facts: LibraryFacts, episodes: readonly EpisodeFact[]): { keep: Keep; order: Order } => {
  const plays = facts.episodePlays.filter(({ episode }) => episodes.some(({ id }) => id === episode));
  const count = sum(plays.map((fact) => fact.plays));
  return {
    keep: { unplayed: (value) => (value === 1 ? count === 0 : undefined) },
    order: {
      total_count: () => [count],
      last_played: () => [Math.max(LEAST, ...plays.map(({ lastPlayedAtMs }) => lastPlayedAtMs))],
    },
  };
};

/** A podcast as a row. */
export const podcastRow = (facts: LibraryFacts, viewer: Viewer, podcast: PodcastFact): ModelRow => {
  const title = sortKey(podcast.title);
  const episodes = facts.episodes.filter((episode) => episode.podcast === podcast.id);
  const marks = annotated(facts, viewer, 'podcast', podcast.id);
  const plays = heard(facts, episodes);
  return {
    id: podcast.id,
    names: [podcast.title],
    key: title,
    keep: { ...dates(podcast.addedAtMs, podcast.updatedAtMs), ...placed(facts, [podcast.catalog]), ...marks.keep, ...plays.keep },
    order: {
      ...marks.order,
      ...plays.order,
      title: () => [title],
      name: () => [title],
      catalog: () => [podcast.catalog, title],
      episodes: () => [episodes.length],
      website: () => [podcast.websiteUrl ?? ''],
    },
  };
};

const STATES = { skipped: 0, pending: 1, downloading: 1, completed: 2, error: 0, deleted: 0 } as const;

/** An episode as a row. */
export const episodeRow = (facts: LibraryFacts, viewer: Viewer, episode: EpisodeFact): ModelRow => {
  const title = sortKey(episode.title);
  const marks = annotated(facts, viewer, 'podcast_episode', episode.id);
  const plays = heard(facts, [episode]);
  const { addedAtMs } = episode;
  return {
    id: episode.id,
    names: [episode.title],
    key: title,
    keep: {
      ...placed(facts, [episode.catalog]),
      ...marks.keep,
      ...plays.keep,
      ...dates(addedAtMs, episode.updatedAtMs),
      podcast: among([episode.podcast]),
    },
    order: {
      ...marks.order,
      ...plays.order,
      title: () => [title],
      name: () => [title],
      addition_time: () => [addedAtMs],
      update_time: () => [episode.updatedAtMs],
      author: () => [episode.author],
      category: () => [episode.category],
      catalog: () => [episode.catalog, title],
      podcast: () => [episode.podcast, episode.publishedAtMs],
      pubdate: () => [episode.publishedAtMs],
      state: () => [STATES[episode.state]],
      time: () => [episode.durationMs ?? 0],
    },
  };
};
