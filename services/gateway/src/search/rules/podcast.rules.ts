import type { Family } from '../operators.js';
import { never, type OptionList, type Widget } from '../rule.js';
import { songSubject } from '../subject.js';
import { group, other, rulesOf, type DraftOptions, type RuleDraft, type RuleGroup } from './rows.js';

const widgets: Readonly<Partial<Record<Family, Widget>>> = {
  text: { input: 'text' },
  boolean: { input: 'hidden' },
  date: { input: 'datetime-local' },
};

// Podcasts are not kept yet, so that no rule of theirs finds anything: they are here to be asked for, and get their conditions with the feature.
const row = (name: string, label: string, family: Family, options: DraftOptions = {}): RuleDraft => {
  const select: OptionList | undefined = options.select;
  const widget: Widget = select ? { select } : (widgets[family] ?? { input: 'number' });
  return other(name, label, { volatile: true, ...options, family, widget }, () => never);
};

const stars = { gate: 'ratings', select: 'stars' } as const;
const rated = { gate: 'ratings' } as const;

const shared: readonly RuleGroup[] = [
  group(
    'Ratings',
    row('myrating', 'My Rating', 'numeric', stars),
    row('rating', 'Rating (Average)', 'numeric', stars),
    row('podcastrating', 'My Rating (Podcast)', 'numeric', stars),
    row('podcast_episoderating', 'My Rating (Podcast Episode)', 'numeric', stars),
    row('my_flagged_podcast', 'My Favorite Podcasts', 'boolean', rated),
    row('my_flagged_podcast_episode', 'My Favorite Podcast Episodes', 'boolean', rated),
    row('weight_podcast', 'Podcast popularity score', 'numeric', rated),
    row('weight_podcast_episode', 'Podcast Episode popularity score', 'numeric', rated),
    row('favorite', 'Favorites', 'text', rated),
    row('other_user', 'Another User', 'user_numeric', { gate: 'ratings', select: 'users' }),
  ),
  group(
    'Play History',
    row('played_times', '# Played', 'numeric'),
    row('skipped_times', '# Skipped', 'numeric'),
    row('played_or_skipped_times', '# Played or Skipped', 'numeric'),
    row('last_play', 'My Last Play', 'days'),
    row('last_skip', 'My Last Skip', 'days'),
    row('last_play_or_skip', 'My Last Play or Skip', 'days'),
    row('played', 'Played', 'boolean'),
    row('myplayed', 'Played by Me', 'boolean'),
    row('myplayed_times', '# Played by Me', 'numeric'),
    row('myskipped_times', '# Skipped by Me', 'numeric'),
    row('myplayed_or_skipped_times', '# Played or Skipped by Me', 'numeric'),
    row('recent_played', 'Recently Played', 'recent_played'),
  ),
  group(
    'File Data',
    row('file', 'Filename', 'text'),
    row('pubdate', 'Publication Date', 'date'),
    row('added', 'Date Added', 'date'),
    row('updated', 'Date Updated', 'date'),
    row('days_added', 'Added', 'days'),
    row('days_updated', 'Updated', 'days'),
  ),
];

const state = row('state', 'Status', 'boolean_numeric', { aliases: ['status'], select: 'states' });
const time = row('time', 'Length (in minutes)', 'numeric');
const name = row('title', 'Name', 'text', { aliases: ['name'] });
const id = row('id', 'Database ID', 'numeric');

/** Podcasts by 34 rules. */
export const podcastRules = rulesOf(
  () => songSubject,
  [
    group('Podcast', name, row('episode_count', 'Episode Count', 'numeric'), id),
    group('Podcast Episodes', row('podcast_episode', 'Podcast Episode', 'text', { aliases: ['podcast_episode_title'] }), state, time),
    ...shared,
  ],
);

/** Episodes of podcasts by 33 rules. */
export const podcastEpisodeRules = rulesOf(
  () => songSubject,
  [group('Podcast Episode', name, row('podcast', 'Podcast', 'text', { aliases: ['podcast_title'] }), state, time, id), ...shared],
);
