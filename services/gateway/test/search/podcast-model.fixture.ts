import type { Episode, Podcast, VisibleLibrary } from './library-model.fixture.js';
import type { SearchRule } from '../../src/search/rule.js';
import { ruleNamed } from '../../src/search/search-types.js';
import { holdsForNumbers, holdsForTexts, type Text } from './text-model.fixture.js';

/*
 * Evaluates rules about podcasts and episodes row by row: the oracle of the compiled rules.
 */

/** One podcast or episode under one rule. */
export interface AskedPodcast {
  readonly library: VisibleLibrary;
  readonly type: 'podcast' | 'podcast_episode';
  readonly row: { readonly id: number };
  readonly rule: SearchRule;
  readonly nowMs: number;
}

const podcastOf = ({ library, type, row }: AskedPodcast): Podcast => {
  const found = library.rows.podcasts.find(({ id }) => id === (type === 'podcast' ? row.id : (row as Episode).podcast_id));
  if (!found) throw new Error('an episode without its podcast');
  return found;
};
const episodesOf = ({ library, type, row }: AskedPodcast): readonly Episode[] =>
  type === 'podcast' ? library.rows.episodes.filter((episode) => episode.podcast_id === row.id) : [row as Episode];

const titled = ({ title, title_sort: key }: Podcast | Episode): Text => ({ name: title, key });
const nameOf = (asked: AskedPodcast): Text[] => [titled(asked.row as Podcast | Episode)];
const fileOf =
  ({ library }: AskedPodcast) =>
  (episode: Episode): Text => ({ name: episode.path === null ? null : `${library.catalogPath(episode)}/${episode.path}` });

const texts: Readonly<Record<string, (asked: AskedPodcast) => readonly Text[]>> = {
  title: nameOf,
  podcast: (asked) => [titled(podcastOf(asked))],
  podcast_episode: (asked) => episodesOf(asked).map(titled),
  file: (asked) => episodesOf(asked).map(fileOf(asked)),
};

const ratingOf = ({ library }: AskedPodcast, kind: string, id: number, userId = library.viewer.userId): number | null =>
  library.rows.ratings.find((one) => one.user_id === userId && one.kind === kind && one.object_id === id)?.rating ?? null;
const isFlagged = ({ library }: AskedPodcast, kind: string, id: number, userId = library.viewer.userId): boolean =>
  library.rows.flags.some((one) => one.user_id === userId && one.kind === kind && one.object_id === id);

type Plays = VisibleLibrary['rows']['mediaPlays'];
const playsOf = ({ library }: AskedPodcast, episodes: readonly Episode[], isMine: boolean): Plays =>
  library.rows.mediaPlays.filter(
    ({ object_id: id, user_id: userId }) => episodes.some((one) => one.id === id) && (!isMine || userId === library.viewer.userId),
  );
const count = (rows: Plays): number => rows.reduce((sum, row) => sum + row.play_count, 0);

const popularity = (asked: AskedPodcast, kind: 'podcast' | 'podcast_episode', id: number, episodes: readonly Episode[]): number => {
  const { rows } = asked.library;
  const average = rows.averages.find((one) => one.kind === kind && one.object_id === id);
  const flags = rows.flags.filter((one) => one.kind === kind && one.object_id === id).length;
  return count(playsOf(asked, episodes, false)) + 5 * flags + (average?.rating_sum ?? 0);
};
const allOf = ({ library }: AskedPodcast, { id }: Podcast): readonly Episode[] =>
  library.rows.episodes.filter((episode) => episode.podcast_id === id);

const numbers: Readonly<Record<string, (asked: AskedPodcast) => readonly (number | null)[]>> = {
  id: ({ row }) => [row.id],
  episode_count: ({ row }) => [(row as Podcast).episode_count],
  time: (asked) => episodesOf(asked).map(({ duration_ms: durationMs }) => Math.round((durationMs ?? 0) / 1000)),
  myrating: (asked) => [ratingOf(asked, asked.type, asked.row.id) ?? 0],
  rating: (asked) => {
    const average = asked.library.rows.averages.find((one) => one.kind === asked.type && one.object_id === asked.row.id);
    return [average ? Math.round(average.rating_sum / average.rating_count) : 0];
  },
  podcastrating: (asked) => [ratingOf(asked, 'podcast', podcastOf(asked).id) ?? 0],
  podcast_episoderating: (asked) => episodesOf(asked).map(({ id }) => ratingOf(asked, 'podcast_episode', id) ?? 0),
  weight_podcast: (asked) => {
    const podcast = podcastOf(asked);
    return [popularity(asked, 'podcast', podcast.id, allOf(asked, podcast))];
  },
  weight_podcast_episode: (asked) => episodesOf(asked).map((episode) => popularity(asked, 'podcast_episode', episode.id, [episode])),
  played_times: (asked) => [count(playsOf(asked, episodesOf(asked), false))],
  skipped_times: () => [0],
  played_or_skipped_times: (asked) => [count(playsOf(asked, episodesOf(asked), false))],
  myplayed_times: (asked) => [count(playsOf(asked, episodesOf(asked), true))],
  myskipped_times: () => [0],
  myplayed_or_skipped_times: (asked) => [count(playsOf(asked, episodesOf(asked), true))],
};

const facts: Readonly<Record<string, (asked: AskedPodcast) => boolean>> = {
  my_flagged_podcast: (asked) => isFlagged(asked, 'podcast', podcastOf(asked).id),
  my_flagged_podcast_episode: (asked) => episodesOf(asked).some(({ id }) => isFlagged(asked, 'podcast_episode', id)),
  played: (asked) => count(playsOf(asked, episodesOf(asked), false)) > 0,
  myplayed: (asked) => count(playsOf(asked, episodesOf(asked), true)) > 0,
};

const lastPlays = (asked: AskedPodcast): readonly number[] => {
  const moments = playsOf(asked, episodesOf(asked), true).map((row) => row.last_played_at_ms);
  return moments.length === 0 ? [] : [Math.max(...moments)];
};
const moments: Readonly<Record<string, (asked: AskedPodcast) => readonly number[]>> = {
  last_play: lastPlays,
  last_skip: () => [],
  last_play_or_skip: lastPlays,
  pubdate: (asked) => episodesOf(asked).map((episode) => episode.published_at_ms),
  added: ({ row }) => [(row as Episode).added_at_ms],
  updated: ({ row }) => [(row as Episode).updated_at_ms],
  days_added: ({ row }) => [(row as Episode).added_at_ms],
  days_updated: ({ row }) => [(row as Episode).updated_at_ms],
};

const DAY_MS = 86_400_000;
const momentHolds = ({ rule, nowMs }: AskedPodcast, atMs: number, isDays: boolean): boolean => {
  const cutMs = isDays ? nowMs - Number(rule.input) * DAY_MS : Date.parse(rule.input);
  if (rule.operator === 'lt') return atMs < cutMs;
  return isDays ? atMs >= cutMs : atMs > cutMs;
};

const STATES: Readonly<Record<Episode['state'], number>> = { skipped: 0, pending: 1, downloading: 1, completed: 2, error: 0, deleted: 0 };

const specials: Readonly<Record<string, (asked: AskedPodcast) => boolean>> = {
  favorite: (asked) => isFlagged(asked, asked.type, asked.row.id) && holdsForTexts(asked.rule.operator, asked.rule.input, nameOf(asked)),
  other_user: (asked) => {
    const { operator, input } = asked.rule;
    const rating = ratingOf(asked, asked.type, asked.row.id, Number(input));
    if (operator === 'love') return isFlagged(asked, asked.type, asked.row.id, Number(input));
    return operator === 'unrated' ? rating === null : rating === Number(operator.charAt(0));
  },
  state: (asked) => episodesOf(asked).some(({ state }) => STATES[state] === Number(asked.rule.input)) === (asked.rule.operator === 'equal'),
  recent_played: (asked) => {
    const latest = asked.library.rows.mediaPlays
      .toSorted((a, b) => b.last_played_at_ms - a.last_played_at_ms || b.object_id - a.object_id || a.user_id - b.user_id)
      .slice(0, Math.max(0, Math.trunc(Number(asked.rule.input))));
    return episodesOf(asked).some(({ id }) => latest.some((one) => one.object_id === id));
  },
};

/** Whether a rule holds for a podcast or an episode. */
export const holdsForPodcasts = (asked: AskedPodcast): boolean => {
  const { type, rule } = asked;
  const { name, operator, input } = rule;
  const family = ruleNamed(type, name)?.family;
  const special = specials[name];
  if (special) return special(asked);
  const moment = moments[name];
  if (moment) return moment(asked).some((atMs) => momentHolds(asked, atMs, family === 'days'));
  const found = texts[name];
  if (found) return holdsForTexts(operator, input, found(asked));
  const values = numbers[name];
  if (values) return holdsForNumbers(operator, Number(input) * (name === 'time' ? 60 : 1), values(asked));
  const fact = facts[name];
  if (!fact) throw new Error(`the model does not know ${type} ${name}`);
  return fact(asked) === (operator === 'true');
};
