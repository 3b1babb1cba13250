import { callsNamed } from './calls-named.js';

const feed = 'url=https%3A%2F%2Ftalks.example%2Ffeed';

/** Calls about podcasts and their episodes. */
export const podcastCases: Readonly<Record<string, string>> = {
  ...callsNamed(`
    podcasts, podcast, podcast (with include), podcast (unknown), podcast (missing), podcast_delete, podcast_delete (unknown),
    podcast_delete (missing), podcast_episodes (unknown), podcast_episode, podcast_episode (unknown), podcast_episode_delete,
    podcast_episode_delete (unknown), deleted_podcast_episodes, update_podcast, podcast_update, podcast_update (unknown),
    list (podcast), list (podcast_episode), index (podcast), index (podcast with include), index (podcast_episode),
    get_indexes (podcast), get_indexes (podcast with include), get_indexes (podcast_episode)
  `),
  'podcasts (page)': 'action=podcasts&limit=1&sort=episodes,DESC',
  'podcasts (cond)': 'action=podcasts&cond=catalog,2',
  'podcasts (exact)': 'action=podcasts&filter=%C3%A9t%C3%A9&exact=1',
  'podcasts (added)': 'action=podcasts&add=2000-01-01/2001-01-01',
  'podcasts (empty)': 'action=podcasts&filter=nothing%20like%20this',
  'podcasts (with include)': 'action=podcasts&include=episodes',
  podcast_create: `action=podcast_create&catalog=1&${feed}`,
  'podcast_create (alias)': `action=podcasts_create&catalog=1&${feed}`,
  'podcast_create (unknown catalog)': `action=podcast_create&catalog=99&${feed}`,
  'podcast_create (no address)': 'action=podcast_create&catalog=1&url=file%3A%2F%2F%2Fetc%2Fpasswd',
  'podcast_create (password)': 'action=podcast_create&catalog=1&url=http%3A%2F%2Fada%3Asecret%40talks.example',
  'podcast_create (missing)': 'action=podcast_create&catalog=1',
  podcast_edit: 'action=podcast_edit&filter=1&title=Other&feed=nonsense&website=&description=&generator=a&copyright=b',
  'podcast_edit (unknown)': 'action=podcast_edit&filter=99&title=Other',
  podcast_episodes: 'action=podcast_episodes&filter=1',
  'podcast_episodes (of all)': 'action=podcast_episodes&limit=2',
  'podcast_episodes (page)': 'action=podcast_episodes&filter=1&limit=1&sort=title,ASC&cond=add_gt,1',
  'podcast_episodes (empty)': 'action=podcast_episodes&filter=1&offset=9',
  'podcast_episode (bare)': 'action=podcast_episode&filter=3',
  'deleted_podcast_episodes (empty)': 'action=deleted_podcast_episodes&offset=5',
  'update_podcast (id)': 'action=update_podcast&id=1',
  'stats (podcast)': 'action=stats&type=podcast&filter=recent',
  'stats (podcast_episode)': 'action=stats&type=podcast_episode&filter=newest',
  'stats (podcast_episode, popular)': 'action=stats&type=podcast_episode&filter=forgotten&user_id=1',
  'flag (unknown podcast)': 'action=flag&type=podcast&filter=99&flag=1',
};
