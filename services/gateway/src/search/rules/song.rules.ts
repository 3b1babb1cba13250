import { sql, type SqlBool } from 'kysely';
import { comparisonOf, idOperand, subtypeOf, textCondition } from '../operands.js';
import { numberCode } from '../operators.js';
import { always, never } from '../rule.js';
import { songSubject } from '../subject.js';
import type { Condition, TextTest, Value } from '../text-tests.js';
import { averageRating, favourite, favouriteOf, flagOf, myRating, otherUser, otherUserOf, ratingOf, weightOf } from './annotation.rules.js';
import {
  added,
  catalog,
  clashingSongs,
  daysAdded,
  daysUpdated,
  file,
  hasTwinAlbum,
  mbids,
  recentAdded,
  recentUpdated,
  twinSongs,
  updated,
} from './file.rules.js';
import { genre, genreCounts, genreOf, mood } from './genre.rules.js';
import { playlist, playlistName, smartPlaylist } from './membership.rules.js';
import { myLast, myCounts, myPlayed, myPlayedOf, playCounts, playSkipRatio, played } from './play.rules.js';
import {
  bool,
  group,
  isTrue,
  nameOf,
  num,
  oneOf,
  other,
  ownNumber,
  ownText,
  rulesOf,
  secondsOf,
  text,
  type Making,
  type RuleGroup,
} from './rows.js';

/** Any of the texts that people know a song by. Each branch can use an index of its own, so they are joined as sets. */
const anywhere = (test: TextTest): Condition => sql<SqlBool>`t.id in (
  select s.id from library.song s where ${test(sql`s.title`, sql`s.title_sort`)}
  union all select s.id from library.song s where ${test(sql`s.file_name`)} or ${test(sql`s.comment`)} or ${test(sql`s.publisher`)}
  union all select s.id from library.song s join library.album al on al.id = s.album_id where ${test(sql`al.name`, sql`al.name_sort`)}
  union all select sa.song_id from library.song_artist sa join library.artist ar on ar.id = sa.artist_id where ${test(sql`ar.name`, sql`ar.name_sort`)}
  union all select g.song_id from library.song_genre g join library.genre gn on gn.id = g.genre_id where ${test(sql`gn.name`, sql`gn.name_sort`)})`;

/** Lyrics line by line; a song may have them in several languages. */
const lyrics = (test: TextTest): Condition => sql<SqlBool>`t.id in (
  select l.song_id from library.song_lyrics l
  cross join lateral json_array_elements(l.lyrics::json) v(lyrics)
  cross join lateral (select string_agg(x.line ->> 'text', E'\n' order by x.place) as text from json_array_elements(v.lyrics -> 'lines') with ordinality x(line, place)) w
  where ${test(sql`w.text`)})`;

const albumArtist = (test: TextTest): Condition => sql<SqlBool>`t.album_id in (
  select aa.album_id from library.album_artist aa join library.artist ar on ar.id = aa.artist_id where ${test(sql`ar.name`, sql`ar.name_sort`)})`;

// Most songs have no such tag, and a look at the text costs far less than reading it.
const extraTag = (name: string): Value => sql`case when t.doc like '%"extraTags":{%' then t.doc::json -> 'extraTags' ->> ${name} end`;

const metadata = ({ call: { rule } }: Making): Condition => {
  const value = extraTag(subtypeOf(rule));
  if (numberCode(rule.operator) === undefined) return textCondition(rule, (test) => test(value));
  return comparisonOf(rule).test(
    sql`(select case when m.v ~ '^\\s*[+-]?[0-9]{1,15}(\\.[0-9]{1,9})?\\s*$' then m.v::float8 end from (values (${value})) m(v))`,
  );
};

const songGroups: readonly RuleGroup[] = [
  group(
    '',
    text('anywhere', 'Any searchable text', anywhere),
    isTrue('none', 'None', () => always),
  ),
  group(
    'Song Data',
    text('title', 'Title', nameOf('song'), { aliases: ['name', 'song', 'song_title'] }),
    text('album', 'Album Title', nameOf('album'), { aliases: ['album_title'] }),
    text('song_artist', 'Song Artist', nameOf('artist'), { aliases: ['artist', 'artist_title', 'song_artist_title'] }),
    text('album_artist', 'Album Artist', albumArtist, { aliases: ['album_artist_title'] }),
    text('composer', 'Composer', ownText('composer')),
    num('track', 'Track', ownNumber('track')),
    num('year', 'Year', ownNumber('year')),
    num('time', 'Length (in minutes)', (comparison) => comparison.test(secondsOf('duration_ms')), { factor: 60 }),
    num('bpm', 'BPM', ownNumber('bpm')),
    text('label', 'Label', ownText('publisher'), { optional: true }),
    text('comment', 'Comment', ownText('comment'), { optional: true }),
    text('lyrics', 'Lyrics', lyrics, { optional: true }),
    num('id', 'Database ID', ownNumber('id')),
  ),
  group(
    'Ratings',
    myRating,
    averageRating,
    ratingOf('album'),
    ratingOf('artist'),
    flagOf('song', ['my_flagged', 'myflagged', 'myflagged_song']),
    flagOf('album', ['myflagged_album']),
    flagOf('artist', ['myflagged_artist']),
    favourite('song'),
    favouriteOf('album'),
    favouriteOf('artist'),
    weightOf('song'),
    weightOf('album'),
    weightOf('artist'),
    otherUser,
    otherUserOf('album'),
    otherUserOf('artist'),
  ),
  group('Play History', playCounts, playSkipRatio, myLast, played, myPlayed, myPlayedOf('album'), myPlayedOf('artist'), myCounts),
  group('Genre', genre('song', ['song_genre', 'song_tag', 'tag']), mood, genreOf('album'), genreOf('artist'), genreCounts('song')),
  group('Playlists', playlist, smartPlaylist, playlistName),
  group(
    'File Data',
    file,
    num('bitrate', 'Bitrate', ownNumber('bitrate_bps'), { factor: 1000, select: 'bitrates' }),
    added,
    updated,
    oneOf('license', 'Music License', ({ call }) => sql<SqlBool>`t.license_id = ${idOperand(call.rule)}`, {
      select: 'licenses',
      gate: 'licensing',
    }),
    isTrue('no_license', 'No Music License', () => sql<SqlBool>`t.license_id is null`, { gate: 'licensing' }),
    recentAdded('library.song'),
    recentUpdated('library.song'),
    daysAdded,
    daysUpdated,
    isTrue('possible_duplicate', 'Possible Duplicate', ({ call }) => sql<SqlBool>`t.id in (${twinSongs(call.viewer)})`),
    isTrue('duplicate_tracks', 'Duplicate Album Tracks', ({ call }) => sql<SqlBool>`t.id in (${clashingSongs(call.viewer)})`),
    isTrue('possible_duplicate_album', 'Possible Duplicate Albums', hasTwinAlbum),
    isTrue('orphaned_album', 'Orphaned Album', () => sql<SqlBool>`not exists (select from library.album al where al.id = t.album_id)`),
    catalog,
    // Waveforms are not drawn by this server, so nothing has one.
    bool('waveform', 'Waveform', () => never, { gate: 'waveform' }),
  ),
  group('MusicBrainz', mbids('song', ['mbid_song'], 'album', 'artist')),
  group('Metadata', other('metadata', 'Metadata', { gate: 'metadata', family: 'multiple', widget: { select: 'metadata' } }, metadata)),
];

/** Songs by 77 rules. */
export const songRules = rulesOf(() => songSubject, songGroups);
