import { describe, expect, it } from 'vitest';
import { Ledger } from './ledger.js';

const seen = (path: string, parts: { id?: number; title?: string } = {}) => ({
  id: 1,
  folderId: 1,
  fileName: path.slice(path.lastIndexOf('/') + 1),
  path,
  title: 'Title',
  sizeBytes: 1,
  ...parts,
});

const failed = (ledger: Ledger, ...songs: ReturnType<typeof seen>[]): string[] =>
  ledger
    .check(songs)
    .filter((finding) => !finding.ok)
    .map((finding) => finding.check);

describe('the ledger', () => {
  const ledger = new Ledger();
  ledger.owe('a/1.mp3', { title: 'Title', sizeBytes: 1 });
  ledger.owe('a/2.mp3', { title: 'Title', sizeBytes: 1, songId: 7 });
  ledger.owe('a/3.mp3', { title: 'Title', sizeBytes: 1 });
  ledger.release('a/3.mp3');
  const [first, second] = [seen('a/1.mp3'), seen('a/2.mp3', { id: 7 })];

  it('is content with exactly what was acknowledged', () => {
    expect(failed(ledger, first, second)).toEqual([]);
  });

  it('notices what is lost, doubled, left over, outdated or renumbered', () => {
    expect(failed(ledger, first)).toEqual(['ledger: songs = acknowledged files', 'ledger: acknowledged and lost']);
    expect(failed(ledger, first, first, second)).toEqual(['ledger: songs = acknowledged files', 'ledger: doubled']);
    expect(failed(ledger, first, second, seen('a/3.mp3'))).toContain('ledger: never or no longer acknowledged');
    expect(failed(ledger, seen('a/1.mp3', { title: 'Old' }), second)).toEqual(['ledger: older or other content']);
    expect(failed(ledger, first, seen('a/2.mp3', { id: 8 }))).toEqual(['ledger: moved songs under another id']);
  });
});
