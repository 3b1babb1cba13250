import { specFor } from '@continuo/chassis/testkit';
import {
  filesSkipped,
  folderDiscovered,
  folderVanished,
  skippedFilesCleared,
  tracksAdded,
  tracksChanged,
  tracksMovedIn,
  tracksMovedOut,
  tracksRemoved,
  type AlbumId,
  type ArtistId,
  type CatalogId,
  type FolderId,
  type NameTables,
  type RecordedTrack,
  type SongId,
} from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { track } from '../../test/tracks.js';
import { folderAggregate, type FolderCommand, type ResolvedTrack } from './folder.decider.js';

const { given } = specFor(folderAggregate);
const folder = { folderId: 3 as FolderId, catalogId: 1 as CatalogId, path: 'a/b', parentId: 2 as FolderId, name: 'b' };
const ref = { folderId: folder.folderId, catalogId: folder.catalogId };
const other = 9 as FolderId;

const names: NameTables = {
  artists: [
    { id: 1 as ArtistId, name: 'One' },
    { id: 2 as ArtistId, name: 'Unused' },
  ],
  albums: [{ id: 5 as AlbumId, name: 'Five', artistIds: [1 as ArtistId], releaseTypes: [], recordLabels: [], compilation: false }],
  genres: [],
  moods: [],
};
const usedNames: NameTables = { ...names, artists: names.artists.slice(0, 1) };

const resolved = (fileName: string, parts: Partial<ResolvedTrack> = {}): ResolvedTrack => {
  const { artists: _a, albumArtists: _b, album: _c, genres: _d, moods: _e, ...plain } = track(fileName);
  return { ...plain, artistIds: [1 as ArtistId], albumId: 5 as AlbumId, genreIds: [], moodIds: [], ...parts };
};
const recorded = (fileName: string, songId: number, parts: Partial<ResolvedTrack> = {}): RecordedTrack => ({
  ...resolved(fileName, parts),
  songId: songId as SongId,
});
const data = (tracks: RecordedTrack[]) => ({ ...ref, path: folder.path, names: usedNames, tracks });
const record = (parts: Partial<Extract<FolderCommand, { type: 'record' }>>): FolderCommand => ({
  type: 'record',
  folder,
  names,
  tracks: [],
  moves: [],
  freshSongIds: [70, 71, 72].map((n) => n as SongId),
  goneFiles: [],
  skipped: [],
  vanished: false,
  ...parts,
});

const discovered = folderDiscovered(folder);
const added = tracksAdded(data([recorded('one.mp3', 7), recorded('two.mp3', 8)]));
const skip = { fileName: 'bad.mp3', sizeBytes: 0, mtimeMs: 1, reason: 'empty' as const, message: 'the file is empty' };

describe('a media folder', () => {
  it('is discovered with its first tracks, which name only what they use', () => {
    given([])
      .when(record({ tracks: [resolved('one.mp3'), resolved('two.mp3')] }))
      .then([discovered, tracksAdded(data([recorded('one.mp3', 70), recorded('two.mp3', 71)]))]);
  });

  it('does not take a song from its old place for a file that is known as another song', () => {
    const moves = [{ fileName: 'one.mp3', songId: 50 as SongId, fromFolderId: other, fromFileName: 'old.mp3' }];
    given([discovered, added])
      .when(record({ tracks: [resolved('one.mp3')], moves }))
      .thenRejected('conflict');
  });

  it('says nothing about what it knows', () => {
    given([discovered, added])
      .when(record({ tracks: [resolved('one.mp3'), resolved('two.mp3')] }))
      .then([]);
    given([discovered]).when({ type: 'discover', folder }).then([]);
    given([])
      .when(record({ goneFiles: ['never.mp3'] }))
      .then([]);
  });

  it('keeps the song id of a changed track and takes none from the fresh ones', () => {
    given([discovered, added])
      .when(record({ tracks: [resolved('one.mp3', { digest: 'other' }), resolved('three.mp3')] }))
      .then([tracksAdded(data([recorded('three.mp3', 70)])), tracksChanged(data([recorded('one.mp3', 7, { digest: 'other' })]))]);
  });

  it('records a rename inside the folder as a move, not as a loss', () => {
    const from = { songId: 7 as SongId, fromFolderId: folder.folderId, fromFileName: 'one.mp3' };
    const moved = tracksMovedIn({
      ...data([recorded('new.mp3', 7)]),
      from: [{ songId: 7 as SongId, folderId: folder.folderId, fileName: 'one.mp3' }],
    });
    given([discovered, added])
      .when(record({ tracks: [resolved('new.mp3')], moves: [{ fileName: 'new.mp3', ...from }], goneFiles: ['one.mp3'] }))
      .then([moved]);
    given([discovered, added, moved])
      .when(record({ goneFiles: ['one.mp3', 'new.mp3'] }))
      .then([tracksRemoved({ ...ref, songs: [{ songId: 7 as SongId, fileName: 'new.mp3' }] })]);
  });

  it('lets songs go to another folder only while it has them', () => {
    given([discovered, added])
      .when({ type: 'move-out', folder: ref, songIds: [8 as SongId], toFolderId: other })
      .then([tracksMovedOut({ ...ref, songs: [{ songId: 8 as SongId, fileName: 'two.mp3' }], toFolderId: other })]);
    given([discovered])
      .when({ type: 'move-out', folder: ref, songIds: [8 as SongId], toFolderId: other })
      .thenRejected('conflict');
  });

  it('takes a track out that can no longer be read, and in again once it can', () => {
    const broken = { ...skip, fileName: 'one.mp3' };
    given([discovered, added])
      .when(record({ skipped: [broken] }))
      .then([tracksRemoved({ ...ref, songs: [{ songId: 7 as SongId, fileName: 'one.mp3' }] }), filesSkipped({ ...ref, files: [broken] })]);
    given([discovered, filesSkipped({ ...ref, files: [broken] })])
      .when(record({ tracks: [resolved('one.mp3')] }))
      .then([tracksAdded(data([recorded('one.mp3', 70)])), skippedFilesCleared({ ...ref, fileNames: ['one.mp3'] })]);
  });

  it('reports a skipped file once for each state of the file', () => {
    given([discovered, filesSkipped({ ...ref, files: [skip] })])
      .when(record({ skipped: [skip] }))
      .then([]);
    given([discovered, filesSkipped({ ...ref, files: [skip] })])
      .when(record({ skipped: [{ ...skip, mtimeMs: 2 }] }))
      .then([filesSkipped({ ...ref, files: [{ ...skip, mtimeMs: 2 }] })]);
  });

  it('loses its tracks when it vanishes, and is discovered anew when it comes back', () => {
    const gone = tracksRemoved({
      ...ref,
      songs: [
        { songId: 7 as SongId, fileName: 'one.mp3' },
        { songId: 8 as SongId, fileName: 'two.mp3' },
      ],
    });
    given([discovered, added])
      .when(record({ vanished: true }))
      .then([gone, folderVanished(ref)]);
    given([discovered, added, gone, folderVanished(ref)])
      .when(record({ vanished: true }))
      .then([]);
    given([discovered, added, gone, folderVanished(ref)])
      .when(record({ tracks: [resolved('one.mp3')] }))
      .then([discovered, tracksAdded(data([recorded('one.mp3', 70)]))]);
  });

  it('is not confused by files that are called like properties of every object', () => {
    for (const fileName of ['constructor', '__proto__', 'toString']) {
      given([discovered])
        .when(record({ tracks: [resolved(fileName)] }))
        .then([tracksAdded(data([recorded(fileName, 70)]))]);
      given([discovered])
        .when(record({ goneFiles: [fileName] }))
        .then([]);
      given([discovered, tracksAdded(data([recorded(fileName, 7)]))])
        .when(record({ tracks: [resolved(fileName)] }))
        .then([]);
    }
  });

  it('cuts a large folder into events that fit the log', () => {
    const many = Array.from({ length: 2000 }, (_, n) => resolved(`${n}.mp3`, { comment: 'x'.repeat(500) }));
    const events = folderAggregate.decide(
      folderAggregate.initialState,
      record({ tracks: many, freshSongIds: many.map((_, n) => (n + 1) as SongId) }),
    );
    expect(events.length).toBeGreaterThan(3);
    for (const event of events) expect(JSON.stringify(event.data).length).toBeLessThan(512 * 1024);
    const ids = events.flatMap((event) => (event.type === 'TracksAdded' ? event.data.tracks.map((t) => t.songId) : []));
    expect(new Set(ids).size).toBe(2000);
  });
});
