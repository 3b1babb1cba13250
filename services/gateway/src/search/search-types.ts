import { sql } from 'kysely';
import type { Viewer } from '../reads/visibility/viewer.js';
import type { RuleRow } from './rule.js';
import { albumDiskRules, albumRules } from './rules/album.rules.js';
import { artistRules } from './rules/artist.rules.js';
import { podcastEpisodeRules, podcastRules } from './rules/podcast.rules.js';
import { genreRules, labelRules, playlistRules, userRules, videoRules } from './rules/small.rules.js';
import { songRules } from './rules/song.rules.js';
import type { Condition, Value } from './text-tests.js';
import {
  visibleAlbums,
  visibleArtists,
  visibleDisks,
  visibleEpisodes,
  visibleGenres,
  visibleLabels,
  visiblePlaylists,
  visiblePodcasts,
  visibleSongs,
  visibleUsers,
  visibleVideos,
} from './visibility.js';

/** Searchable types, by their request names. */
export const searchTypes = [
  'song',
  'album',
  'album_disk',
  'artist',
  'album_artist',
  'song_artist',
  'label',
  'playlist',
  'podcast',
  'podcast_episode',
  'genre',
  'tag',
  'user',
  'video',
] as const;
export type SearchType = (typeof searchTypes)[number];

/** True for the name of a type. */
export const isSearchType = (text: string): text is SearchType => (searchTypes as readonly string[]).includes(text);

/** Definition of a searchable type. */
export interface TypeDefinition {
  /** The `from` part; `t` is the alias of the searched rows. */
  readonly from: Value;
  /** Condition of every search of the type, visibility included. */
  readonly visible: (viewer: Viewer) => Condition;
  /** Default order; the id settles what is left. */
  readonly order: readonly Value[];
  readonly rules: readonly RuleRow[];
  /** True when no counter tells that such things have changed, so that no answer is kept. */
  readonly volatile?: boolean;
}

const PATH_IN_CATALOG = sql`(case when f.path = '' then t.file_name else f.path || '/' || t.file_name end) collate "C"`;

const artists = (credit: Parameters<typeof visibleArtists>[1]): TypeDefinition => ({
  from: sql`library.artist t`,
  visible: (viewer) => visibleArtists(viewer, credit),
  order: [sql`t.name_sort`],
  rules: artistRules,
});

const genres: TypeDefinition = { from: sql`library.genre t`, visible: visibleGenres, order: [sql`t.name_sort`], rules: genreRules };

/** Every type that can be searched. */
export const typeDefinitions: Readonly<Record<SearchType, TypeDefinition>> = {
  song: {
    from: sql`library.song t left join library.folder f on f.id = t.folder_id left join library.catalog c on c.id = t.catalog_id`,
    visible: visibleSongs,
    order: [sql`c.path collate "C"`, PATH_IN_CATALOG],
    rules: songRules,
  },
  album: { from: sql`library.album t`, visible: visibleAlbums, order: [sql`t.name_sort`], rules: albumRules },
  album_disk: {
    from: sql`library.album_disk t left join library.album a on a.id = t.album_id`,
    visible: visibleDisks,
    order: [sql`a.name_sort`, sql`t.album_id`, sql`t.disk`],
    rules: albumDiskRules,
  },
  artist: artists('any'),
  album_artist: artists('albums'),
  song_artist: artists('songs'),
  label: { from: sql`library.label t`, visible: visibleLabels, order: [sql`t.name_sort`], rules: labelRules },
  playlist: { from: sql`library.playlist t`, visible: visiblePlaylists, order: [sql`t.name_sort`], rules: playlistRules, volatile: true },
  podcast: { from: sql`library.podcast t`, visible: visiblePodcasts, order: [sql`t.title_sort`], rules: podcastRules, volatile: true },
  podcast_episode: {
    from: sql`library.podcast_episode t`,
    visible: visibleEpisodes,
    // The latest first.
    order: [sql`-t.published_at_ms`],
    rules: podcastEpisodeRules,
    volatile: true,
  },
  genre: genres,
  tag: genres,
  user: { from: sql`social.user t`, visible: visibleUsers, order: [sql`t.username_key`], rules: userRules, volatile: true },
  video: {
    from: sql`library.video t join library.catalog c on c.id = t.catalog_id`,
    visible: visibleVideos,
    order: [sql`c.path collate "C"`, sql`t.path collate "C"`],
    rules: videoRules,
  },
};

const byName = new Map(
  searchTypes.map((type) => {
    const { rules } = typeDefinitions[type];
    return [type, new Map(rules.flatMap((rule) => [rule.name, ...rule.aliases].map((name) => [name, rule] as const)))] as const;
  }),
);

/** The rule that a type knows under a name or an alias; undefined for an unknown one. */
export const ruleNamed = (type: SearchType, name: string): RuleRow | undefined => byName.get(type)?.get(name);
