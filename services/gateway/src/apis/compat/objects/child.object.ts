import { COMPOSER_ROLE, type SongDocument } from '@continuo/contracts';
import type { PlayedAlbum } from '../../../reads/library/album-plays.reads.js';
import type { Annotations } from '../../../reads/people/annotations.reads.js';
import type { FolderRecord } from '../../../reads/library/folder-tree.reads.js';
import { convertedPlainly } from '../../../transcode/decision/plain-stream.js';
import { bitDepthOf } from '../../../transcode/decision/sound-facts.js';
import type { SongView } from '../../../reads/songs/songs.reads.js';
import { objectTable } from '../../../render/object-table.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { artistLine, firstArtistId, firstGenre, positive, seconds } from '../spelling.js';
import { annotationFields } from './annotation-fields.js';
import { fieldsOf, OPEN, OPTIONAL, OPEN_OPTIONAL } from './fields.js';
import { artistRef, contributor, itemGenre, movement, replayGain, work, type Contributor, type ReplayGain } from './parts.object.js';

/** R128 gains aim at -23 LUFS, ReplayGain at -18: 5 dB difference. */
const R128_TO_REPLAY_GAIN_DB = 5;
const R128_STEPS_PER_DB = 256;

const fromR128 = (steps: number | undefined): number | undefined =>
  steps === undefined ? undefined : Math.round((steps / R128_STEPS_PER_DB + R128_TO_REPLAY_GAIN_DB) * 100) / 100;

const gains = (doc: SongDocument): ReplayGain => ({
  trackGain: doc.trackGainDb ?? fromR128(doc.r128TrackGain),
  albumGain: doc.albumGainDb ?? fromR128(doc.r128AlbumGain),
  trackPeak: doc.trackPeak,
  albumPeak: doc.albumPeak,
  baseGain: doc.baseGainDb,
});

/** Composers first, then other credits. Credits without an id are resolved by name among the song's artists. */
const contributors = ({
  composers = [],
  composerIds = [],
  contributors: others = [],
  albumArtists,
  artists,
}: SongDocument): Contributor[] => {
  if (composers.length === 0 && others.length === 0) return [];
  const known = new Map([...albumArtists, ...artists].map((ref) => [ref.name, ref.id]));
  const all = [...composers.map((name, index) => ({ role: COMPOSER_ROLE, subRole: undefined, name, id: composerIds[index] })), ...others];
  return all.flatMap(({ role, subRole, name, id = known.get(name) }) =>
    id === undefined ? [] : [{ role, subRole, artist: { id, name } }],
  );
};

const song = fieldsOf<SongView>();
const ofSong = annotationFields<SongView>((view) => view.annotations);

/** A song as every list shows it (schema type Child). */
export const songChild = objectTable<SongView, undefined>('song', [
  song.text('id', ({ doc }) => formatId('song', doc.id)),
  song.text('parent', ({ doc }) => formatId('folder', doc.folderId)),
  song.bool('isDir', () => false),
  song.text('title', ({ doc }) => doc.title),
  song.text('album', ({ doc }) => doc.album.name),
  song.text('artist', ({ doc }) => artistLine(doc.displayArtist, doc.artists), OPTIONAL),
  song.int('track', ({ doc }) => positive(doc.track), OPTIONAL),
  song.int('year', ({ doc }) => positive(doc.year), OPTIONAL),
  song.text('genre', ({ doc }) => firstGenre(doc.genres), OPTIONAL),
  song.text('coverArt', ({ doc }) => formatId('album', doc.album.id)),
  song.int('size', ({ doc }) => doc.sizeBytes),
  song.text('contentType', ({ doc }) => doc.mime),
  song.text('suffix', ({ doc }) => doc.format),
  song.text('transcodedContentType', (view) => convertedPlainly(view)?.mime, OPTIONAL),
  song.text('transcodedSuffix', (view) => convertedPlainly(view)?.suffix, OPTIONAL),
  song.int('duration', ({ doc }) => seconds(doc.durationMs)),
  song.int('bitRate', ({ doc }) => Math.round(doc.bitrateBps / 1000)),
  song.int('bitDepth', ({ doc }) => positive(bitDepthOf(doc)), OPEN_OPTIONAL),
  song.int('samplingRate', ({ doc }) => positive(doc.sampleRateHz), OPEN_OPTIONAL),
  song.int('channelCount', ({ doc }) => positive(doc.channels), OPEN_OPTIONAL),
  song.text('path', ({ doc }) => doc.path),
  song.bool('isVideo', () => false),
  ofSong.userRating,
  ofSong.averageRating,
  song.int('playCount', ({ playCount }) => playCount),
  song.int('discNumber', ({ doc }) => positive(doc.disk), OPTIONAL),
  song.text('created', ({ addedAtMs }) => isoDate(addedAtMs), OPTIONAL),
  ofSong.starred,
  song.text('albumId', ({ doc }) => formatId('album', doc.album.id)),
  song.text('artistId', ({ doc }) => firstArtistId(doc.artists), OPTIONAL),
  song.text('type', () => 'music'),
  ofSong.bookmarkPosition,
  song.text('mediaType', () => 'song', OPEN),
  song.text('played', ({ lastPlayedAtMs }) => isoDate(lastPlayedAtMs), OPEN_OPTIONAL),
  song.int('bpm', ({ doc }) => Math.round(doc.bpm ?? 0), OPEN),
  song.text('comment', ({ doc }) => doc.comment ?? '', OPEN),
  song.text('sortName', ({ doc }) => doc.sortTitle ?? '', OPEN),
  song.text('musicBrainzId', ({ doc }) => doc.mbid ?? '', OPEN),
  song.text('displayArtist', ({ doc }) => artistLine(doc.displayArtist, doc.artists) ?? '', OPEN),
  song.text('displayAlbumArtist', ({ doc }) => artistLine(doc.displayAlbumArtist, doc.albumArtists) ?? '', OPEN),
  song.text('displayComposer', ({ doc }) => doc.composers?.join(', ') ?? '', OPEN),
  song.scalars('isrc', ({ doc }) => doc.isrcs ?? [], OPEN),
  song.many('genres', itemGenre, ({ doc }) => doc.genres, OPEN),
  song.many('artists', artistRef, ({ doc }) => doc.artists, OPEN),
  song.many('albumArtists', artistRef, ({ doc }) => doc.albumArtists, OPEN),
  song.many('contributors', contributor, ({ doc }) => contributors(doc), OPEN),
  song.scalars('moods', ({ doc }) => doc.moods.map((mood) => mood.name), OPEN),
  song.one('replayGain', replayGain, ({ doc }) => gains(doc), OPEN),
  song.text('explicitStatus', ({ doc }) => doc.explicit ?? '', OPEN),
  song.many('works', work, ({ doc }) => doc.works ?? [], OPEN),
  song.many('movements', movement, ({ doc }) => doc.movements ?? [], OPEN),
  song.scalars('groupings', ({ doc }) => doc.groupings ?? [], OPEN),
]);

const album = fieldsOf<PlayedAlbum>();
const ofAlbum = annotationFields<PlayedAlbum>((a) => a.annotations);

/** An album as the folder-mode lists show it: a directory (schema type Child). */
export const albumChild = objectTable<PlayedAlbum, undefined>(
  'album',
  [
    album.text('id', (a) => formatId('album', a.id)),
    album.text('parent', (a) => firstArtistId(a.doc.artists), OPTIONAL),
    album.bool('isDir', () => true),
    album.text('title', (a) => a.name),
    album.text('name', (a) => a.name, OPEN),
    album.text('album', (a) => a.name),
    album.text('artist', (a) => artistLine(a.doc.displayArtist, a.doc.artists), OPTIONAL),
    album.int('year', (a) => positive(a.year), OPTIONAL),
    album.text('genre', (a) => firstGenre(a.doc.genres), OPTIONAL),
    album.text('coverArt', (a) => formatId('album', a.id)),
    album.int('songCount', (a) => a.songCount, OPEN),
    album.int('duration', (a) => seconds(a.durationMs)),
    ofAlbum.userRating,
    ofAlbum.averageRating,
    album.int('playCount', (a) => a.playCount),
    album.text('created', (a) => isoDate(a.addedAtMs), OPTIONAL),
    ofAlbum.starred,
    album.text('artistId', (a) => firstArtistId(a.doc.artists), OPTIONAL),
    album.text('mediaType', () => 'album', OPEN),
    album.text('played', (a) => isoDate(a.lastPlayedAtMs), OPEN_OPTIONAL),
    album.text('sortName', (a) => a.doc.sortName ?? '', OPEN),
    album.text('musicBrainzId', (a) => a.mbid ?? '', OPEN),
    album.text('displayArtist', (a) => artistLine(a.doc.displayArtist, a.doc.artists) ?? '', OPEN),
    album.many('genres', itemGenre, (a) => a.doc.genres, OPEN),
    album.many('artists', artistRef, (a) => a.doc.artists, OPEN),
    album.scalars('moods', (a) => a.doc.moods.map((mood) => mood.name), OPEN),
    album.text('explicitStatus', (a) => a.doc.explicit ?? '', OPEN),
  ],
  'album_child',
);

/** A folder with its ratings and favourites. */
export interface AnnotatedFolder extends FolderRecord {
  readonly annotations: Annotations;
}

const folder = fieldsOf<AnnotatedFolder>();
const ofFolder = annotationFields<AnnotatedFolder>((f) => f.annotations);

/** A folder of a catalog inside another one (schema type Child). */
export const folderChild = objectTable<AnnotatedFolder, undefined>(
  'child',
  [
    folder.text('id', (f) => formatId('folder', f.id)),
    folder.text('parent', (f) => (f.parentId === null ? undefined : formatId('folder', f.parentId)), OPTIONAL),
    folder.bool('isDir', () => true),
    folder.text('title', (f) => f.name),
    folder.text('coverArt', (f) => (f.hasArt ? formatId('folder', f.id) : undefined), OPTIONAL),
    ofFolder.userRating,
    ofFolder.averageRating,
    ofFolder.starred,
  ],
  'folder_child',
);
