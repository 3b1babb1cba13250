import { describe, expect, it } from 'vitest';
import { auditLibraryLog } from './library-log.js';
import type { LoggedEvent } from './read-log.js';

const song = (songId: number, fileName: string) => ({ songId, fileName, title: `Title of ${songId}` });

const event = (type: string, data: Record<string, unknown>, batch?: [id: string, sequence: number, commits?: boolean]): LoggedEvent => ({
  position: 1,
  subject: 'ev.library.00.folder.1',
  type,
  data: { folderId: 1, ...data },
  ...(batch ? { batch: { id: batch[0], sequence: batch[1], commits: batch[2] ?? false } } : {}),
});

const audit = async (...events: LoggedEvent[]) => {
  async function* log() {
    await Promise.resolve();
    yield* events;
  }
  return auditLibraryLog(log());
};

describe('the audit of the log', () => {
  it('follows songs through additions, changes, moves and removals', async () => {
    const log = await audit(
      event('TracksAdded', { tracks: [song(1, 'a.mp3'), song(2, 'b.mp3'), song(3, 'c.mp3')] }),
      event('TracksChanged', { tracks: [{ ...song(1, 'a.mp3'), title: 'New' }] }),
      event('TracksMovedIn', { folderId: 2, tracks: [song(2, 'b.mp3')], from: [{ songId: 2, folderId: 1, fileName: 'b.mp3' }] }),
      event('TracksMovedOut', { songs: [{ songId: 2, fileName: 'b.mp3' }], toFolderId: 2 }),
      event('TracksRemoved', { songs: [{ songId: 3, fileName: 'c.mp3' }] }),
      event('TracksAdded', { tracks: [song(4, 'b.mp3')] }),
    );
    expect(log).toMatchObject({ songsAdded: 4, songsRemoved: 1, idsGivenTwice: [], filesWithTwoSongs: [], brokenBatches: [] });
    expect([...log.songs]).toEqual([
      [1, { folderId: 1, fileName: 'a.mp3', title: 'New' }],
      [2, { folderId: 2, fileName: 'b.mp3', title: 'Title of 2' }],
      [4, { folderId: 1, fileName: 'b.mp3', title: 'Title of 4' }],
    ]);
  });

  it('notices an id that is given twice and a file that two songs lie in', async () => {
    const log = await audit(
      event('TracksAdded', { tracks: [song(1, 'a.mp3')] }),
      event('TracksAdded', { tracks: [song(1, 'b.mp3'), song(2, 'a.mp3')] }),
    );
    expect(log).toMatchObject({ idsGivenTwice: [1], filesWithTwoSongs: ['1/a.mp3'] });
  });

  it('notices a batch without its commit or with a gap', async () => {
    const log = await audit(
      event('FolderVanished', {}, ['whole', 1]),
      event('FolderVanished', {}, ['whole', 2, true]),
      event('FolderVanished', {}, ['open', 1]),
      event('FolderVanished', {}, ['gap', 1]),
      event('FolderVanished', {}, ['gap', 3, true]),
    );
    expect(log.brokenBatches).toEqual(['open', 'gap']);
  });
});
