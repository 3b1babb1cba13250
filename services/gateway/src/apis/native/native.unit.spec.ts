import { Rejection, errorTable, type ErrorCode } from '@continuo/contracts';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { printJson } from '../../../test/render/print.js';
import { buildObject, compileJson, compileXml, printXmlElement } from '../../render/index.js';
import { UNANNOTATED } from '../../reads/people/annotations.reads.js';
import { listMd5, parseIds, IdList } from '../../reads/lists/id-list.js';
import { badValue, faultOf, missing, notFound } from './errors/native-fault.js';
import { Links } from './objects/context.js';
import { songObject, type NativeSong } from './objects/song.object.js';
import { by, listQuery } from './paging.js';
import { cond, dateRange, flag, idOf, include, limit, offset, positions, rawParams, readParams, required, sort } from './params.js';
import { NATIVE_XML } from './result.js';
import { songIdOfUrl } from './song-url.js';
import { dialectOf, isNumericVersion, policyFor } from './versions/choose.js';
import { v3 } from './versions/v3.js';
import { v4 } from './versions/v4.js';
import { v5 } from './versions/v5.js';
import { v6 } from './versions/v6.js';
import { v8 } from './versions/v8.js';

describe('the choice of a version', () => {
  it.each([
    ['', 8],
    ['8.0.0', 8],
    ['800001', 8],
    ['6.9.2', 6],
    ['390001', 6],
    ['2', 6],
    ['5.2.0', 5],
    ['443000', 4],
    ['7', undefined],
    ['9.1', undefined],
    ['x', undefined],
  ])('%j in JSON is %j', (text, version) => expect(dialectOf(text, 'json')).toBe(version));
  it('has version 3 in XML alone', () => {
    expect(dialectOf('390001', 'xml')).toBe(3);
    expect(dialectOf('1.0', 'xml')).toBe(3);
  });
  it('has a policy for each', () => {
    expect(['350001', '443000', '5.2', '6', '8.0.0'].map((text) => policyFor(text, 'xml')?.version)).toEqual([3, 4, 5, 6, 8]);
    expect(policyFor('7.0', 'xml')).toBeUndefined();
  });
  it('tells numeric clients', () => {
    expect([isNumericVersion('443000'), isNumericVersion('8.0.0'), isNumericVersion('8')]).toEqual([true, false, false]);
  });
});

describe('parameters', () => {
  const page = z.object({ offset, limit, cond, sort });
  const read = (raw: Record<string, string>) => readParams(page, raw);
  it('reads pages, with the default for whatever is no page', () => {
    expect(read({})).toMatchObject({ offset: 0, limit: 5000 });
    expect(read({ offset: '20', limit: '10' })).toMatchObject({ offset: 20, limit: 10 });
    expect(read({ offset: '-3', limit: '0' })).toMatchObject({ offset: 0, limit: 5000 });
    expect(read({ offset: 'x', limit: '' })).toMatchObject({ offset: 0, limit: 5000 });
    expect(read({ limit: 'NONE' }).limit).toBeUndefined();
    expect(read({ limit: '99999999999999999999' }).limit).toBe(5000);
  });
  it('reads conditions and sorts', () => {
    expect(read({ cond: 'Artist,12;;no_genre,;catalog,2,x' }).cond).toEqual([
      { name: 'artist', value: '12' },
      { name: 'no_genre', value: '' },
      { name: 'catalog', value: '2' },
    ]);
    expect(read({ cond: 'like,a&amp;b' }).cond).toEqual([{ name: 'like', value: 'a&b' }]);
    expect(read({ sort: 'Name,desc' }).sort).toEqual({ name: 'name', descending: true });
    expect(read({ sort: 'year,sideways' }).sort).toEqual({ name: 'year', descending: false });
    expect(read({ sort: '' }).sort).toBeUndefined();
  });
  it('reads positions, and refuses what is no list of them', () => {
    const places = z.object({ positions });
    expect(readParams(places, { positions: '3, 0,12' }).positions).toEqual([3, 0, 12]);
    expect([readParams(places, {}).positions, readParams(places, { positions: '' }).positions]).toEqual([undefined, undefined]);
    for (const text of ['1,x', '-1', '1,', Array.from({ length: 501 }, () => '1').join(',')])
      expect(() => readParams(places, { positions: text })).toThrow('positions');
  });
  it('reads dates, ranges and refuses what is neither', () => {
    const dates = z.object({ add: dateRange });
    expect(readParams(dates, { add: '2024-01-02' }).add).toEqual({ from: 1_704_153_600, to: undefined });
    expect(readParams(dates, { add: '1704153600/2024-01-03' }).add).toEqual({ from: 1_704_153_600, to: 1_704_240_000 });
    expect(readParams(dates, { add: '@1704153600' }).add).toEqual({ from: 1_704_153_600, to: undefined });
    expect(readParams(dates, { add: '-2 weeks/yesterday' }).add).toBeDefined();
    expect(readParams(dates, { add: '' }).add).toBeUndefined();
    expect(() => readParams(dates, { add: 'soon' })).toThrow(badValue('add', 'soon', 'must be a date, or two joined by a slash'));
  });
  it('reports a missing parameter, and takes older names', () => {
    const schema = z.object({ filter: required, exact: flag, include });
    expect(() => readParams(schema, {})).toThrow(missing('filter'));
    expect(readParams(schema, { id: '5', filter: '7' }, { filter: ['id', 'filter'] }).filter).toBe('5');
    expect(readParams(schema, { filter: '', exact: 'true', include: 'songs,albums' })).toMatchObject({ filter: '', exact: true });
    expect(readParams(schema, { filter: '', include: '1' }).include('songs')).toBe(true);
  });
  it('takes the last of several values, numbers of JSON, and lists of includes', () => {
    const raw = rawParams({ a: ['1', '2'], b: 7, c: true, include: ['songs', 'albums'], d: { x: 1 }, e: null });
    expect({ ...raw }).toEqual({ a: '2', b: '7', c: '1', include: 'songs,albums' });
  });
  it('knows what can be an id', () => {
    expect(['7', ' 7 ', '0', '-1', '7.0', '1e3', '99999999999', '2147483648', 'so-7'].map(idOf)).toEqual([
      7,
      7,
      ...Array(7).fill(undefined),
    ]);
  });
  it('finds the song in its address', () => {
    expect(songIdOfUrl('http://h/play/index.php?ssid=x&type=song&oid=115&uid=4')).toBe(115);
    expect(songIdOfUrl('http://h/play/ssid/x/type/song/oid/7/uid/4/name/a.mp3')).toBe(7);
    expect(songIdOfUrl('http://h/?void=3')).toBeUndefined();
  });
});

describe('list queries', () => {
  it('lets cond replace what the method set itself', () => {
    const query = listQuery(
      'artist',
      { offset: 0, limit: 1, cond: [{ name: 'tag', value: '111' }] },
      [{ name: 'tag', value: '215' }],
      by('name'),
    );
    expect(query.where).toEqual([{ name: 'tag', value: '111' }]);
  });
  it('keeps the order of the method when the sort is unknown', () => {
    const params = { offset: 0, limit: 1, filter: 'x', exact: true };
    expect(listQuery('song', { ...params, sort: { name: 'constructor', descending: true } }, [], by('title')).sort).toEqual(by('title'));
    expect(listQuery('song', params, [], by('title')).where).toEqual([{ name: 'exact_match', value: 'x' }]);
  });
});

describe('id lists', () => {
  it('reads the text of an array', () => {
    expect([...parseIds('{5,9,123456}')]).toEqual([5, 9, 123_456]);
    expect([...parseIds(null), ...parseIds('{}')]).toEqual([]);
  });
  it('hashes as the protocol says', () => {
    expect(listMd5(Int32Array.of())).toBe('40cd750bba9870f18aada2478b24840a');
    expect(listMd5(Int32Array.of(5, 9))).not.toBe(listMd5(Int32Array.of(9, 5)));
  });
  it('cuts pages', () => {
    const list = new IdList(Int32Array.of(1, 2, 3));
    expect([[...list.page(1, 1)], [...list.page(2, undefined)], [...list.page(9, 5)]]).toEqual([[2], [3], []]);
    expect([...list.at([2, 0, 7, 2])]).toEqual([3, 1, 3]);
  });
});

describe('errors', () => {
  it.each(Object.keys(errorTable) as ErrorCode[])('%s has a number and words', (code) => {
    const fault = faultOf(new Rejection(code, undefined, 'subject'));
    expect(fault.code).toBeGreaterThanOrEqual(4700);
    expect(fault.message).not.toBe('');
    expect(fault.type).not.toBe('');
  });
  it('are told in the shape of versions 5 to 8', () => {
    const document = v8.error(notFound('filter', '12'), 'song', 'json');
    expect(printJson(document)).toBe(
      '{"error":{"errorCode":"4704","errorAction":"song","errorType":"filter","errorMessage":"Not Found: 12"}}',
    );
    expect(printXmlElement('root', document, NATIVE_XML)).toBe(
      '<root><error errorCode="4704"><errorAction><![CDATA[song]]></errorAction><errorType><![CDATA[filter]]></errorType><errorMessage><![CDATA[Not Found: 12]]></errorMessage></error></root>',
    );
  });
});

describe('the song in each version', () => {
  const context = { links: new Links('http://host', { userId: 4, mediaToken: 'to/ken', artToken: 'pic/ture' }) };
  const ref = { id: 3, name: 'The <Band>', prefix: 'The', basename: '<Band>' };
  const song: NativeSong = {
    position: 1,
    view: {
      albumArtHash: null,
      playCount: 2,
      lastPlayedAtMs: 1_700_000_000_000,
      addedAtMs: 0,
      catalogPath: '/music',
      annotations: UNANNOTATED,
      doc: {
        id: 7,
        title: 'A/B ]]> "c"\u0007',
        artists: [ref, { id: 4, name: 'Guest', prefix: null, basename: 'Guest' }],
        album: { id: 9, name: 'Album', prefix: null, basename: 'Album' },
        albumArtists: [],
        disk: 1,
        track: 2,
        year: 1999,
        durationMs: 181_600,
        format: 'flac',
        mime: 'audio/flac',
        bitrateBps: 900_000,
        sampleRateHz: 44_100,
        sizeBytes: 5,
        path: 'a/b.flac',
        catalogId: 1,
        folderId: 1,
        genres: [{ id: 1, name: 'Rock' }],
        moods: [{ id: 2, name: 'calm' }],
        bpm: 120.5,
        extraTags: { 'my tag (x)': 'v' },
      },
    },
  };
  it.each([v8, v6, v5, v4, v3])('is written alike by both paths, version $version', ({ profile }) => {
    const tree = buildObject(songObject, song, context, profile);
    expect(compileJson(songObject, profile)(song, context)).toBe(printJson(tree));
    expect(compileXml(songObject, profile, NATIVE_XML)(song, context)).toBe(printXmlElement('song', tree, NATIVE_XML));
  });
  it('differs where the specification says so', () => {
    const [eight, six] = [v8, v6].map(
      ({ profile }) => JSON.parse(compileJson(songObject, profile)(song, context)) as Record<string, unknown>,
    );
    expect(eight).toMatchObject({ catalog: '1', bpm: 120.5, metadata: { my_tag__x_: 'v' }, last_played: '2023-11-14T22:13:20+00:00' });
    expect(six).toMatchObject({ catalog: 1, my_tag__x_: 'v' });
    for (const name of ['bpm', 'mood', 'last_played', 'metadata']) expect(six).not.toHaveProperty(name);
    expect(eight).not.toHaveProperty('albumartist');
  });
  it('links with what belongs into addresses encoded', () => {
    const text = JSON.parse(compileJson(songObject, v8.profile)(song, context)) as { url: string; art: string };
    expect(text.url).toBe(
      'http://host/play/index.php?ssid=to%2Fken&type=song&oid=7&uid=4&player=api&name=The%20%3CBand%3E%20-%20A-B%20%5D%5D%3E%20%22c%22%07.flac',
    );
    expect(text.art).toBe('http://host/image.php?object_id=9&object_type=album&auth=pic%2Fture&name=art.jpg');
  });
});
