import type { AlbumDocument, NameRef } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { printJson } from '../../../../test/render/print.js';
import { UNANNOTATED } from '../../../reads/people/annotations.reads.js';
import { buildObject, compileJson, compileXml, printXmlElement, type ObjectTable } from '../../../render/index.js';
import { NATIVE_XML } from '../result.js';
import { v4 } from '../versions/v4.js';
import { v5 } from '../versions/v5.js';
import { v6 } from '../versions/v6.js';
import { v8 } from '../versions/v8.js';
import { albumDiskObject } from './album-disk.object.js';
import { Links, type NativeContext } from './context.js';
import { deletedSongObject } from './deleted-song.object.js';
import { folderItemObject } from './folder.object.js';
import { genreObject } from './genre.object.js';
import { labelObject } from './label.object.js';
import { licenseObject } from './license.object.js';
import { browseItemObject, indexEntryObject, listItemObject } from './named.object.js';
import { slimArtistObject } from './slim.object.js';

const context: NativeContext = { links: new Links('http://host', { userId: 4, mediaToken: 'to/ken', artToken: 'to/ken' }) };
const HOSTILE = 'A "b" <c> & ]]> d';
const ref = (id: number): NameRef => ({ id, name: `The ${HOSTILE}`, prefix: 'The', basename: HOSTILE });
const doc: AlbumDocument = {
  artists: [ref(1), ref(2)],
  songArtists: [ref(1)],
  genres: [{ id: 5, name: HOSTILE }],
  moods: [],
  recordLabels: [],
  releaseTypes: [],
  diskTitles: [],
  compilation: false,
};
const album = { ...ref(9), year: 2001, releaseType: 'EP', mbid: null, mbidGroup: 'g', artHash: null, doc };
const disk = { id: 2305, catalogId: 1, disk: 1, subtitle: HOSTILE, songCount: 2, durationMs: 1999, album, annotations: UNANNOTATED };
const genre = { id: 3, name: HOSTILE, songCount: 1, albumCount: 2, artistCount: 3, videoCount: 4, hidden: true };
const song = {
  id: 7,
  catalogId: 1,
  title: HOSTILE,
  file: '/a/<b>',
  albumId: 9,
  artistId: null,
  addedAtMs: 1000,
  updatedAtMs: 2999,
  deletedAtMs: 3000,
  playCount: 4,
  skipCount: 5,
};
const folderItem = { kind: 'song', id: 7, name: `${HOSTILE}.mp3`, path: '/a/<b>', durationMs: 1500, hasArt: true } as const;
const rated = { flaggedAtMs: null, rating: 3, averageRating: 3.67, bookmarkMs: null };

interface Shown<T> {
  readonly table: ObjectTable<T, NativeContext>;
  readonly source: T;
}
const shown = <T>(table: ObjectTable<T, NativeContext>, source: T): Shown<never> => ({ table, source }) as unknown as Shown<never>;

const objects: readonly (readonly [string, Shown<never>])[] = [
  ['disk', shown(albumDiskObject, { view: disk, tracks: [] })],
  ['disk of nobody', shown(albumDiskObject, { view: { ...disk, album: { ...album, doc: { ...doc, artists: [] } } }, tracks: [] })],
  ['label', shown(labelObject, { id: 3, name: HOSTILE, artistCount: 0 })],
  ['licence', shown(licenseObject, { id: 3, name: HOSTILE, externalLink: '' })],
  ['deleted song', shown(deletedSongObject, song)],
  ['folder item', shown(folderItemObject, { view: { ...folderItem, annotations: rated }, parentId: -1 })],
  ['genre', shown(genreObject, { ...genre, mergedInto: [] })],
  ['merged genre', shown(genreObject, { ...genre, mergedInto: [{ id: 8, name: HOSTILE }] })],
  ['list item', shown(listItemObject, ref(1))],
  ['browse item', shown(browseItemObject, { ...ref(1), prefix: null })],
  ['index entry', shown(indexEntryObject('album', 'song'), { id: 1, children: Int32Array.of(4, 5) })],
  ['slim artist', shown(slimArtistObject, { view: ref(1), albumNames: [ref(2)] })],
];

describe.each([v8, v6, v5, v4])('objects of the browsing methods in version $version', ({ profile }) => {
  it.each(objects)('%s reads the same compiled as built', (_name, { table, source }) => {
    const tree = buildObject(table, source, context, profile);
    const name = profile.kinds?.[table.kind] ?? table.kind;
    expect(compileJson(table, profile)(source, context)).toBe(printJson(tree));
    expect(compileXml(table, profile, NATIVE_XML)(source, context)).toBe(printXmlElement(name, tree, NATIVE_XML));
  });
});

describe('objects of the browsing methods', () => {
  const json = ({ table, source }: Shown<never>, profile = v8.profile) =>
    JSON.parse(compileJson(table, profile)(source, context)) as Record<string, unknown>;
  it('leave credits out where nobody is credited', () => {
    const [whole, nobody] = objects.slice(0, 2).map(([, object]) => json(object));
    expect(whole).toMatchObject({
      id: '2305',
      disk: 1,
      time: 2,
      artist: { id: '1' },
      artists: [{ id: '1' }, { id: '2' }],
      album: { id: '9' },
    });
    for (const name of ['artist', 'artists', 'songartists']) expect(nobody).not.toHaveProperty(name);
  });
  it('round averages of folder items, and escape their texts in XML', () => {
    const item = objects.find(([name]) => name === 'folder item')?.[1];
    if (!item) throw new Error('no folder item');
    expect(json(item)).toMatchObject({ parent: '-1', time: 2, rating: 3, averagerating: 4 });
    expect(compileXml(item.table, v8.profile, NATIVE_XML)(item.source, context)).toContain('<path>/a/&lt;b&gt;</path>');
  });
  it('write catalogs of deleted songs as version 5 does', () => {
    expect(json(shown(deletedSongObject, song))).toMatchObject({
      catalog: '1',
      artist: '0',
      addition_time: 1,
      update_time: 2,
      delete_time: 3,
    });
    expect(json(shown(deletedSongObject, song), v5.profile)).toMatchObject({ catalog: 1 });
  });
});
