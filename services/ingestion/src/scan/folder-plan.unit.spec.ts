import type { FolderId } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import type { DiskFile, WalkedFolder } from '../walk/walked-folder.js';
import { isSettled, planFolder, sidecarsOf, type KnownFile, type KnownFolder } from './folder-plan.js';
import { likelyPictures, pictureNames } from './picture-names.js';

const file = (name: string, sizeBytes = 10, mtimeMs = 1000): DiskFile => ({ name, sizeBytes, mtimeMs });
const walked = (part: Partial<WalkedFolder> = {}): WalkedFolder => ({
  path: 'a/b',
  state: 'listed',
  media: [],
  pictures: [],
  lyrics: [],
  playlists: [],
  skipped: [],
  notices: [],
  parentPictures: [],
  ...part,
});
const row = (name: string, kind: KnownFile['kind'], part: Partial<KnownFile> = {}): KnownFile => ({
  name,
  kind,
  size_bytes: 10,
  mtime_ms: 1000,
  skip_reason: null,
  skip_message: null,
  ...part,
});
const known = (...rows: KnownFile[]): KnownFolder => ({
  folderId: 1 as FolderId,
  files: new Map(rows.map((entry) => [entry.name, entry])),
});
const names = (files: readonly { name: string }[]): string[] => files.map((entry) => entry.name);

describe('the plan of a folder', () => {
  it('is empty for a folder that is as it was', () => {
    const folder = walked({ media: [file('1.mp3')], pictures: [file('cover.jpg')], lyrics: [file('1.lrc')] });
    const plan = planFolder(folder, known(row('1.mp3', 'track'), row('cover.jpg', 'art'), row('1.lrc', 'lyrics')));
    expect(isSettled(plan)).toBe(true);
    expect(plan.missing).toEqual([]);
  });

  it('is empty for a folder without media that is not known', () => {
    expect(isSettled(planFolder(walked({ pictures: [file('cover.jpg')], lyrics: [file('a.txt')] }), undefined))).toBe(true);
  });

  it('reads what is new or changed, and names what is missing', () => {
    const plan = planFolder(
      walked({ media: [file('1.mp3'), file('2.mp3', 11), file('3.mp3')] }),
      known(row('1.mp3', 'track'), row('2.mp3', 'track'), row('4.mp3', 'track')),
    );
    expect(names(plan.read)).toEqual(['2.mp3', '3.mp3']);
    expect(plan.missing).toEqual(['4.mp3']);
  });

  it('leaves a known skip alone until it changes, but tries again what was unreadable', () => {
    const rows = [row('1.mp3', 'skipped', { skip_reason: 'damaged' }), row('2.mp3', 'skipped', { skip_reason: 'unreadable' })];
    const plan = planFolder(walked({ media: [file('1.mp3'), file('2.mp3')] }), known(...rows));
    expect(names(plan.read)).toEqual(['2.mp3']);
    expect(plan.report.map((entry) => entry.reason)).toEqual(['damaged']);
    expect(names(planFolder(walked({ media: [file('1.mp3', 12)] }), known(...rows)).read)).toEqual(['1.mp3']);
  });

  it('records an empty file once', () => {
    const folder = walked({ media: [file('1.mp3', 0)] });
    expect(planFolder(folder, undefined).skipped).toMatchObject([{ fileName: '1.mp3', reason: 'empty' }]);
    const again = planFolder(folder, known(row('1.mp3', 'skipped', { size_bytes: 0, skip_reason: 'empty' })));
    expect(again).toMatchObject({ skipped: [], read: [] });
    expect(again.report).toHaveLength(1);
  });

  it('clears skips that are gone', () => {
    expect(planFolder(walked(), known(row('1.mp3', 'skipped', { skip_reason: 'damaged' }))).cleared).toEqual(['1.mp3']);
  });

  it('keeps everything of a folder that cannot be read, and says so once', () => {
    const skipped = [{ fileName: '.', sizeBytes: 0, mtimeMs: 0, reason: 'unreadable', message: 'no' } as const];
    const plan = planFolder(walked({ state: 'unreadable', skipped }), known(row('1.mp3', 'track')));
    expect(plan).toMatchObject({ skipped, missing: [], read: [] });
    const dot = row('.', 'skipped', { size_bytes: 0, mtime_ms: 0, skip_reason: 'unreadable' });
    expect(isSettled(planFolder(walked({ state: 'unreadable', skipped }), known(row('1.mp3', 'track'), dot)))).toBe(true);
    expect(planFolder(walked({ media: [file('1.mp3')] }), known(row('1.mp3', 'track'), dot)).cleared).toEqual(['.']);
  });

  it('records at once that the lyrics of a track went with it', () => {
    const rows = [row('1.mp3', 'track'), row('2.mp3', 'track'), row('2.lrc', 'lyrics'), row('cover.jpg', 'art')];
    const plan = planFolder(walked({ media: [file('1.mp3')], pictures: [file('cover.jpg')] }), known(...rows));
    expect([plan.missing, plan.sidecars?.map(({ fileName }) => fileName)]).toEqual([['2.mp3'], ['cover.jpg']]);
  });

  it('reads the tracks again whose lyrics changed or went, and no others', () => {
    const media = [file('1.mp3'), file('2.mp3'), file('3.mp3')];
    const rows = [row('1.mp3', 'track'), row('2.mp3', 'track'), row('3.mp3', 'track'), row('2.lrc', 'lyrics')];
    expect(names(planFolder(walked({ media, lyrics: [file('1.lrc'), file('2.lrc', 10)] }), known(...rows)).read)).toEqual(['1.mp3']);
    expect(names(planFolder(walked({ media }), known(...rows)).read)).toEqual(['2.mp3']);
    expect(planFolder(walked({ media, lyrics: [file('2.lrc', 99)] }), known(...rows)).read).toMatchObject([
      { name: '2.mp3', lyrics: ['2.lrc'] },
    ]);
  });

  it('reports changed pictures without reading tracks', () => {
    const plan = planFolder(
      walked({ media: [file('1.mp3')], pictures: [file('cover.jpg', 99)] }),
      known(row('1.mp3', 'track'), row('cover.jpg', 'art')),
    );
    expect(plan.read).toEqual([]);
    expect(plan.sidecars).toEqual([{ fileName: 'cover.jpg', sizeBytes: 99, mtimeMs: 1000, kind: 'art' }]);
  });
});

describe('companion files', () => {
  it('prefers the usual picture names in the usual order', () => {
    const pictures = ['back.jpg', 'AlbumArtSmall.jpg', 'folder.jpg', 'Cover.PNG', 'cover.jpg', 'front.jpeg'].map((name) => file(name));
    expect(names(likelyPictures(pictures))).toEqual(['cover.jpg', 'Cover.PNG', 'folder.jpg']);
  });

  it('takes the only picture, but none of several unknown ones', () => {
    expect(names(likelyPictures([file('scan.jpg')]))).toEqual(['scan.jpg']);
    expect(likelyPictures([file('a.jpg'), file('b.jpg')])).toEqual([]);
    expect(names(likelyPictures([file('Artist.jpg'), file('scan.jpg')]))).toEqual(['scan.jpg']);
    const own = pictureNames('*-front.*, scan?.jpg');
    expect(names(likelyPictures([file('scan1.jpg'), file('cover.jpg'), file('CD-Front.png')], own))).toEqual(['CD-Front.png', 'scan1.jpg']);
  });

  it("lends a disc's folder the album's picture", () => {
    const folder = walked({ path: 'Album/CD1', media: [file('1.mp3')], parentPictures: [file('cover.jpg')] });
    expect(sidecarsOf(folder)).toMatchObject([{ fileName: '../cover.jpg', kind: 'art' }]);
    expect(sidecarsOf({ ...folder, path: 'Album/Bonus' })).toEqual([]);
    expect(sidecarsOf({ ...folder, pictures: [file('folder.jpg')] })).toMatchObject([{ fileName: 'folder.jpg' }]);
  });

  it('takes lyrics that are named like a track', () => {
    expect(sidecarsOf(walked({ media: [file('1.mp3')], lyrics: [file('1.txt'), file('readme.txt')] }))).toMatchObject([
      { fileName: '1.txt', kind: 'lyrics' },
    ]);
  });
});

describe('the plan of a folder by mode', () => {
  const media = [file('same.mp3'), file('changed.mp3', 11), file('new.mp3'), file('left-out.mp3'), file('empty.mp3', 0)];
  const rows = [
    row('same.mp3', 'track'),
    row('changed.mp3', 'track'),
    row('gone.mp3', 'track'),
    row('left-out.mp3', 'skipped', { skip_reason: 'damaged' }),
    row('not-there.mp3', 'skipped', { skip_reason: 'damaged' }),
  ];
  it.each([
    { mode: 'changes', read: ['changed.mp3', 'new.mp3'], skipped: ['empty.mp3'], missing: ['gone.mp3'], cleared: ['not-there.mp3'] },
    { mode: 'add', read: ['new.mp3'], skipped: ['empty.mp3'], missing: [], cleared: [] },
    { mode: 'clean', read: ['new.mp3'], skipped: [], missing: ['gone.mp3'], cleared: ['not-there.mp3'] },
    { mode: 'verify', read: ['same.mp3', 'changed.mp3', 'left-out.mp3'], skipped: [], missing: [], cleared: [] },
    { mode: 'art', read: ['same.mp3', 'changed.mp3', 'left-out.mp3'], skipped: [], missing: [], cleared: [] },
    {
      mode: 'update',
      read: ['same.mp3', 'changed.mp3', 'new.mp3', 'left-out.mp3'],
      skipped: ['empty.mp3'],
      missing: ['gone.mp3'],
      cleared: ['not-there.mp3'],
    },
  ] as const)('$mode', ({ mode, read, ...rest }) => {
    const plan = planFolder(walked({ media }), known(...rows), { mode });
    expect(names(plan.read)).toEqual(read);
    expect({ skipped: plan.skipped.map(({ fileName }) => fileName), missing: plan.missing, cleared: plan.cleared }).toEqual(rest);
  });

  it('keeps to the files that are meant', () => {
    const out = {
      fileName: 'out.mp3',
      sizeBytes: 0,
      mtimeMs: 0,
      reason: 'unreadable',
      message: 'the link leads out of the catalog',
    } as const;
    const only = new Set(['changed.mp3', 'gone.mp3']);
    const plan = planFolder(walked({ media, skipped: [out] }), known(...rows), { mode: 'update', only });
    expect(names(plan.read)).toEqual(['changed.mp3']);
    expect([plan.skipped, plan.report, plan.missing, plan.cleared]).toEqual([[], [], ['gone.mp3'], []]);
  });

  it('looks at companion files again where files are read again, and leaves those alone whose song is not read', () => {
    const folder = walked({ media: [file('same.mp3')], pictures: [file('cover.jpg')], lyrics: [file('same.lrc', 12)] });
    const before = known(row('same.mp3', 'track'), row('cover.jpg', 'art'), row('same.lrc', 'lyrics'));
    expect(planFolder(folder, before, { mode: 'verify' }).sidecars).toHaveLength(2);
    expect(planFolder(folder, before, { mode: 'verify', only: new Set(['other.mp3']) }).sidecars).toBeUndefined();
    expect(planFolder(folder, before, { mode: 'add' }).sidecars).toBeUndefined();
    expect(planFolder(folder, before, { mode: 'clean' }).sidecars).toBeUndefined();
    expect(planFolder(folder, undefined, { mode: 'add' }).sidecars).toHaveLength(2);
  });
});
