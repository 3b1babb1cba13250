import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { recordFolder, Rejection, type CatalogId, type FolderId, type ScannedTrack, type SongId } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { FolderSender } from './folder-sender.js';
import { IdSet } from './id-set.js';
import { likeliestMove, type MoveCandidate } from './move-finder.js';
import { retryTransient } from './retry-transient.js';
import { zeroCounts } from './scan.decider.js';
import { filePath, ScanTally } from './scan-tally.js';

const candidate = (id: number, part: Partial<MoveCandidate> = {}): MoveCandidate => ({
  id: id as SongId,
  folderId: 1 as FolderId,
  folderPath: 'old',
  fileName: 'a.mp3',
  sizeBytes: 10,
  mtimeMs: 1000,
  durationMs: 2000,
  bitrateBps: 128_000,
  ...part,
});

describe('moves', () => {
  it('need the same sound, and prefer the same name', () => {
    const track = { fileName: 'b.mp3', durationMs: 2000, bitrateBps: 128_000 } as ScannedTrack;
    const candidates = [
      candidate(1),
      candidate(2, { durationMs: 2001 }),
      candidate(3, { fileName: 'b.mp3' }),
      candidate(4, { bitrateBps: 1 }),
    ];
    expect(likeliestMove(track, candidates)?.id).toBe(3);
    expect(likeliestMove(track, candidates.slice(0, 2))?.id).toBe(1);
    expect(likeliestMove(track, candidates.slice(1, 2))).toBeUndefined();
  });
});

describe('patience', () => {
  const signal = new AbortController().signal;

  it('tries again until it works', async () => {
    let tries = 0;
    const work = () => (++tries < 3 ? Promise.reject(new Error('away')) : Promise.resolve(tries));
    expect(await retryTransient(work, { signal, withinMs: 5000 })).toBe(3);
  });

  it('gives up at once where waiting is of no use, and when it is aborted', async () => {
    await expect(
      retryTransient(() => Promise.reject(new Error('no')), { signal, withinMs: 5000, isTransient: () => false }),
    ).rejects.toThrow('no');
    await expect(retryTransient(() => Promise.resolve(1), { signal: AbortSignal.abort(new Error('stop')), withinMs: 1 })).rejects.toThrow(
      'stop',
    );
  });
});

describe('sending a folder', () => {
  const move = { fileName: 'a.mp3', songId: 1 as SongId, fromFolderId: 2 as FolderId, fromFileName: 'b.mp3' };
  const counts = { songsAdded: 0, songsChanged: 0, songsMoved: 1, songsRemoved: 0 };
  /** Folders that reach a library that refuses the first records. */
  const sentTo = async (...refusals: Rejection[]): Promise<number[]> => {
    const moves: number[] = [];
    const commands = new InMemoryCommandClient().handle(recordFolder, async ({ data }) => {
      moves.push(data.moves.length);
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      return { result: counts, positions: [] };
    });
    const context = { actor: 'system', correlationId: 'spec', causationId: 'spec' };
    const scan = { catalog: { id: 1 as CatalogId, gathers: 'music' }, context, signal: new AbortController().signal };
    await new FolderSender(commands, scan, new ScanTally(zeroCounts)).send({ path: '', tracks: [], moves: [move] });
    return moves;
  };

  it('gives up moves only when they are what the library objects to', async () => {
    expect(await sentTo(new Rejection('conflict', undefined, 'moves'))).toEqual([1, 0]);
    expect(await sentTo(new Rejection('conflict'), new Rejection('unavailable'))).toEqual([1, 1, 1]);
    await expect(sentTo(new Rejection('input.invalid'))).rejects.toMatchObject({ code: 'input.invalid' });
  });
});

describe('small parts', () => {
  it('a set of ids grows as needed', () => {
    const ids = new IdSet();
    for (const id of [0, 7, 8, 100_000]) ids.add(id);
    expect([0, 1, 7, 8, 9, 100_000, 100_001, 9_000_000].filter((id) => ids.has(id))).toEqual([0, 7, 8, 100_000]);
  });

  it('a tally goes on from what earlier attempts recorded', () => {
    const tally = new ScanTally({ ...zeroCounts, songsAdded: 5, filesSeen: 9 });
    tally.sawFolder(3);
    tally.recorded({ songsAdded: 2, songsChanged: 0, songsMoved: 1, songsRemoved: 0 });
    for (let n = 0; n < 150; n += 1) tally.skipped(filePath('a', `${n}.mp3`), 'damaged', 'x');
    expect(tally.counts()).toEqual({ ...zeroCounts, foldersSeen: 1, filesSeen: 3, songsAdded: 7, songsMoved: 1, filesSkipped: 150 });
    expect(tally.samples).toHaveLength(100);
    expect([filePath('', 'x'), filePath('a', '.'), filePath('a/b', 'x')]).toEqual(['x', 'a', 'a/b/x']);
  });
});
