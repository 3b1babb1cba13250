import { specFor } from '@continuo/chassis/testkit';
import { videosAdded, videosMovedOut, videosRemoved, type CatalogId, type FolderId, type VideoId } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { video } from '../../test/videos.js';
import { videoFolderAggregate, type VideoFolderCommand } from './video.decider.js';

const { given } = specFor(videoFolderAggregate);
const folder = { folderId: 3 as FolderId, catalogId: 1 as CatalogId, path: 'films' };
const names = { genres: [] };
const resolved = (fileName: string, title = fileName) => {
  const { genres: _genres, ...plain } = video(fileName, { title });
  return { ...plain, genreIds: [] };
};
const record = (parts: Partial<Extract<VideoFolderCommand, { type: 'record' }>>): VideoFolderCommand => ({
  type: 'record',
  folder,
  names,
  videos: [],
  moves: [],
  freshIds: [7 as VideoId],
  goneFiles: [],
  vanished: false,
  ...parts,
});
const id = 7 as VideoId;
const place = { folderId: folder.folderId, catalogId: folder.catalogId };
const added = videosAdded({ ...folder, names, videos: [{ ...resolved('a.mp4'), videoId: id }] });
const gone = videosRemoved({ ...place, videos: [{ videoId: id, fileName: 'a.mp4' }] });

describe('the videos of a folder', () => {
  it('are added once', () => {
    given([])
      .when(record({ videos: [resolved('a.mp4')] }))
      .then([added]);
    given([added])
      .when(record({ videos: [resolved('a.mp4')] }))
      .then([]);
  });
  it('go when their file or their folder does', () => {
    given([added])
      .when(record({ goneFiles: ['a.mp4', 'never'] }))
      .then([gone]);
    given([added])
      .when(record({ vanished: true }))
      .then([gone]);
    given([added, gone])
      .when(record({ vanished: true }))
      .then([]);
  });
  it('leave for another folder only while they are there', () => {
    const leave = { type: 'move-out', folder: place, videoIds: [id], toFolderId: 4 as FolderId } as const;
    given([added])
      .when(leave)
      .then([videosMovedOut({ ...place, videos: [{ videoId: id, fileName: 'a.mp4' }], toFolderId: leave.toFolderId })]);
    given([added, gone]).when(leave).thenRejected('conflict');
  });
  it('never take the place of one that is there already', () => {
    const moves = [{ fileName: 'a.mp4', videoId: 8 as VideoId, fromFolderId: 5 as FolderId, fromFileName: 'b.mp4' }];
    given([added])
      .when(record({ videos: [resolved('a.mp4', 'other')], moves }))
      .thenRejected('conflict');
  });
});
