import { sql, type SqlBool } from 'kysely';
import { albumSubject, col, DISK_ID, diskSubject } from '../subject.js';
import type { Comparison } from '../operands.js';
import type { TextTest } from '../text-tests.js';
import { averageRating, favourite, flagOf, myRating, otherUser, ratingOf, weightOf } from './annotation.rules.js';
import { added, catalog, clashingTracks, daysAdded, file, hasTwinAlbum, image, mbids, recentAdded, updated } from './file.rules.js';
import { genre, genreCounts, genreOf, mood } from './genre.rules.js';
import { playlist, playlistName, smartPlaylist } from './membership.rules.js';
import { myLast, myCounts, myPlayed, myPlayedOf, playCounts, played } from './play.rules.js';
import { group, isTrue, nameOf, nameTest, num, ownNumber, rulesOf, secondsOf, text, textOf, type Making, type RuleGroup } from './rows.js';
import { inVisibleCatalogs } from '../../reads/visibility/viewer.js';

const ofAlbum =
  (column: string) =>
  (comparison: Comparison, { subject }: Making) =>
    subject.on.album((alias) => comparison.test(col(alias, column)));

const songArtist = (test: TextTest, { subject }: Making) => subject.onSongArtist(nameTest('artist', test));

const sharedReleaseGroup = ({ subject, call }: Making) =>
  subject.on.album(
    (alias) => sql<SqlBool>`${col(alias, 'mbid_group')} in (
      select x.mbid_group from library.album x where x.song_count > 0 and x.mbid_group is not null and ${inVisibleCatalogs(call.viewer, sql`x.catalog_id`)}
      group by x.mbid_group having count(*) > 1)`,
  );

const sharedTracks = ({ subject, call }: Making) =>
  sql<SqlBool>`t.id in (${clashingTracks(call.viewer, subject.kind === 'album' ? sql`s.album_id` : DISK_ID)})`;

const albumGroups = (table: string): readonly RuleGroup[] => [
  group(
    'Album Data',
    text('title', 'Title', nameOf('album'), { aliases: ['album', 'album_title', 'name'] }),
    text('album_artist', 'Album Artist', nameOf('artist'), { aliases: ['album_artist_title', 'artist', 'artist_title'] }),
    text('song_artist', 'Song Artist', songArtist),
    text('song', 'Song Title', nameOf('song'), { aliases: ['song_title'] }),
    num('year', 'Year', ofAlbum('year')),
    num('original_year', 'Original Year', ofAlbum('original_year')),
    num('time', 'Length (in minutes)', (comparison) => comparison.test(secondsOf('duration_ms')), { factor: 60 }),
    text('release_type', 'Release Type', textOf('album', 'release_type')),
    text('release_status', 'Release Status', textOf('album', 'release_status')),
    text('version', 'Release Comment', textOf('album', 'version'), { aliases: ['release_comment', 'subtitle'] }),
    text('barcode', 'Barcode', textOf('album', 'barcode')),
    text('catalog_number', 'Catalog Number', textOf('album', 'catalog_number')),
    num('disk_count', 'Disk Count', ofAlbum('disk_count')),
    num('song_count', 'Song Count', ownNumber('song_count')),
    num('id', 'Database ID', ownNumber('id')),
  ),
  group(
    'Ratings',
    myRating,
    averageRating,
    ratingOf('song'),
    ratingOf('artist'),
    flagOf('song', ['myflagged_song']),
    flagOf('album', ['my_flagged', 'myflagged', 'myflagged_album']),
    flagOf('artist', ['myflagged_artist']),
    weightOf('song'),
    weightOf('album'),
    weightOf('artist'),
    favourite('album'),
    otherUser,
  ),
  group('Play History', playCounts, myLast, played, myPlayed, myPlayedOf('artist'), myCounts),
  group('Genre', genre('album', ['album_genre', 'album_tag', 'tag']), mood, genreOf('song'), genreCounts('album')),
  group('Playlists', playlist, smartPlaylist, playlistName),
  group(
    'File Data',
    file,
    added,
    updated,
    image('album'),
    recentAdded(table),
    daysAdded,
    isTrue('possible_duplicate', 'Possible Duplicate', hasTwinAlbum, { aliases: ['possible_duplicate_album'] }),
    isTrue('duplicate_tracks', 'Duplicate Album Tracks', sharedTracks),
    isTrue('duplicate_mbid_group', 'Duplicate MusicBrainz Release Group', sharedReleaseGroup),
    catalog,
  ),
  group('MusicBrainz', mbids('album', ['mbid_album'], 'artist', 'song')),
];

/** Albums by 65 rules. */
export const albumRules = rulesOf(albumSubject, albumGroups('library.album'));

/** Disks of albums by the same rules. */
export const albumDiskRules = rulesOf(diskSubject, albumGroups('library.album_disk'));
