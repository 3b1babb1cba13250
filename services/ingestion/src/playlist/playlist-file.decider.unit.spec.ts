import { specFor } from '@continuo/chassis/testkit';
import { catalogId, playlistFileMoved, playlistFileRead, playlistId, type PlaylistFileFact } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { playlistFileAggregate } from './playlist-file.decider.js';

const { given } = specFor(playlistFileAggregate);
const fact: PlaylistFileFact = {
  catalogId: catalogId.parse(1),
  path: 'lists/a.m3u',
  digest: 'ab',
  sizeBytes: 10,
  mtimeMs: 5,
  outcome: 'imported',
  playlistId: playlistId.parse(7),
  revision: 3,
  entryCount: 2,
  songCount: 1,
  message: null,
  unmatched: [{ number: 2, location: 'x.mp3', says: '', reason: 'not-found' }],
};
const moved = { catalogId: fact.catalogId, path: fact.path, to: 'b.m3u' };

describe('a playlist file', () => {
  it('is recorded when its content changed', () => {
    given([])
      .when({ type: 'record', fact })
      .then([playlistFileRead(fact)]);
    given([playlistFileRead(fact)])
      .when({ type: 'record', fact: { ...fact } })
      .then([]);
    given([playlistFileRead(fact)])
      .when({ type: 'record', fact: { ...fact, mtimeMs: 6 } })
      .then([playlistFileRead({ ...fact, mtimeMs: 6 })]);
  });

  it('moves once, and can be recorded again', () => {
    given([])
      .when({ type: 'move', ...moved })
      .then([]);
    given([playlistFileRead(fact)])
      .when({ type: 'move', ...moved })
      .then([playlistFileMoved(moved)]);
    given([playlistFileRead(fact), playlistFileMoved(moved)])
      .when({ type: 'move', ...moved })
      .then([]);
    given([playlistFileRead(fact), playlistFileMoved(moved)])
      .when({ type: 'record', fact })
      .then([playlistFileRead(fact)]);
  });
});
