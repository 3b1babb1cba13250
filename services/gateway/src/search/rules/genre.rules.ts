import type { Condition } from '../text-tests.js';
import { col, type Related } from '../subject.js';
import { not } from '../rule.js';
import { genreCount } from '../visible-counts.js';
import { isTrue, linked, num, text, type Making, type RuleDraft } from './rows.js';
import { sql, type SqlBool } from 'kysely';

const links = {
  song: linked({ table: 'library.song_genre', owner: 'song_id', named: 'genre_id', names: 'library.genre' }),
  album: linked({ table: 'library.album_genre', owner: 'album_id', named: 'genre_id', names: 'library.genre' }),
  artist: linked({ table: 'library.artist_genre', owner: 'artist_id', named: 'genre_id', names: 'library.genre' }),
} as const satisfies Record<Related, unknown>;

const moods = linked({ table: 'library.song_mood', owner: 'song_id', named: 'mood_id', names: 'library.mood' });

const withGenre =
  (kind: Related) =>
  ({ subject }: Making, condition: (alias: string) => Condition): Condition =>
    subject.on[kind]((alias) => links[kind](alias, condition));

const genreText = (name: string, label: string, kind: Related, aliases: readonly string[]): RuleDraft =>
  text(name, label, (test, making) => withGenre(kind)(making, (alias) => test(col(alias, 'name'), col(alias, 'name_sort'))), { aliases });

/** A genre of the searched thing itself. */
export const genre = (kind: Related, aliases: readonly string[]): RuleDraft => genreText('genre', 'Genre', kind, aliases);

/** A genre of a song, an album or an artist of the searched thing. */
export const genreOf = (kind: Related): RuleDraft => {
  const word = { song: 'Song', album: 'Album', artist: 'Artist' }[kind];
  return genreText(`${kind}_genre`, `${word} Genre`, kind, kind === 'song' ? ['song_tag'] : [`${kind}_tag`]);
};

/** A mood of its songs. */
export const mood: RuleDraft = text('mood', 'Mood', (test, { subject }) =>
  subject.on.song((alias) => moods(alias, (named) => test(col(named, 'name')))),
);

/** The rules about genres that come last: none at all, and how much else carries one of its genres. */
export const genreCounts = (kind: Related, own: Related = kind): readonly RuleDraft[] => {
  const carried = (name: Related, label: string): RuleDraft =>
    num(
      `genre_count_${name}`,
      label,
      (comparison, making) => withGenre(kind)(making, (alias) => comparison.test(genreCount(making.call.viewer, alias, name))),
      name === own ? { aliases: ['genre_count'] } : {},
    );
  return [
    isTrue('no_genre', 'No Genre', (making) => not(withGenre(kind)(making, () => sql<SqlBool>`true`)), { aliases: ['no_tag'] }),
    carried('song', 'Song Count (Genre)'),
    carried('album', 'Album Count (Genre)'),
    carried('artist', 'Artist Count (Genre)'),
  ];
};
