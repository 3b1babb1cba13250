import { sql, type SqlBool } from 'kysely';
import { sparse, type Comparison } from '../operands.js';
import { artistSubject } from '../subject.js';
import type { Condition, Value } from '../text-tests.js';
import { visibleArtists } from '../visibility.js';
import { artistSum, type ArtistSum } from '../visible-counts.js';
import { averageRating, favourite, flagOf, myRating, otherUser, ratingOf, weightOf } from './annotation.rules.js';
import { artistCatalog, daysAdded, file, hasTwinAlbum, image, mbids } from './file.rules.js';
import { genre, genreCounts, genreOf, mood } from './genre.rules.js';
import { playlist, playlistName } from './membership.rules.js';
import { myLast, myCounts, myPlayed, playCounts, played } from './play.rules.js';
import { group, isTrue, nameOf, num, ownNumber, rulesOf, text, type Making, type RuleGroup } from './rows.js';

/** External metadata of artists. */
const found = (column: 'summary' | 'place_formed'): Value =>
  sql`(select i.${sql.ref(column)} from library.artist_info i where i.artist_id = t.id)`;
const YEARS = sql`select i.artist_id as k, i.year_formed as v from library.artist_info i where i.year_formed is not null`;

const sum =
  (name: ArtistSum, inUnit: (value: Value) => Value = (value) => value) =>
  (comparison: Comparison, { call }: Making): Condition =>
    comparison.test(inUnit(artistSum(call.viewer, 't', name)));

const artistGroups: readonly RuleGroup[] = [
  group(
    'Artist Data',
    text('title', 'Name', nameOf('artist'), { aliases: ['artist', 'artist_title', 'name'] }),
    text('album', 'Album Title', nameOf('album'), { aliases: ['album_title'] }),
    text('song', 'Song Title', nameOf('song'), { aliases: ['song_title'] }),
    text('summary', 'Summary', (test) => test(found('summary'))),
    num('yearformed', 'Year Formed', (comparison) => sparse(sql`t.id`, YEARS, comparison)),
    text('placeformed', 'Place Formed', (test) => test(found('place_formed'))),
    num(
      'time',
      'Length (in minutes)',
      sum('duration_ms', (value) => sql`round(${value} / 1000.0)`),
      { factor: 60 },
    ),
    num('album_count', 'Album Count', sum('album_count')),
    num('song_count', 'Song Count', sum('song_count')),
    num('id', 'Database ID', ownNumber('id')),
  ),
  group(
    'Ratings',
    myRating,
    averageRating,
    ratingOf('song'),
    ratingOf('album'),
    flagOf('song', ['myflagged_song']),
    flagOf('album', ['myflagged_album']),
    flagOf('artist', ['my_flagged', 'myflagged', 'myflagged_artist']),
    weightOf('song'),
    weightOf('album'),
    weightOf('artist'),
    favourite('artist'),
    otherUser,
  ),
  group('Play History', playCounts, myLast, played, myPlayed, myCounts),
  group('Genre', genre('artist', ['artist_genre', 'artist_tag', 'tag']), mood, genreOf('song'), genreCounts('artist')),
  group('Playlists', playlist, playlistName),
  group(
    'File Data',
    file,
    image('artist'),
    daysAdded,
    isTrue(
      'possible_duplicate',
      'Possible Duplicate',
      ({ call }) =>
        sql<SqlBool>`t.name_sort in (
          select x.name_sort from library.artist x where ${visibleArtists(call.viewer, 'any', 'x')} group by x.name_sort having count(*) > 1)`,
    ),
    isTrue('possible_duplicate_album', 'Possible Duplicate Albums', hasTwinAlbum),
    artistCatalog,
  ),
  group('MusicBrainz', mbids('artist', ['mbid_artist'], 'album', 'song')),
];

/** Artists by 54 rules; song artists and album artists have the same. */
export const artistRules = rulesOf(artistSubject, artistGroups);
