import { describe, expect, it } from 'vitest';
import { isElsewhere, parseStorageAddress, storageAddressText } from './catalog-address.js';

describe('addresses of catalogs', () => {
  it.each([
    ['s3://music', { type: 's3', bucket: 'music', prefix: '' }, 's3://music'],
    ['s3://music/all/flac/', { type: 's3', bucket: 'music', prefix: 'all/flac/' }, 's3://music/all/flac'],
    [
      's3+https://s3.example:9000/music/a b',
      { type: 's3', endpoint: 'https://s3.example:9000', bucket: 'music', prefix: 'a b/' },
      's3+https://s3.example:9000/music/a%20b',
    ],
    ['s3+http://127.0.0.1/music', { type: 's3', endpoint: 'http://127.0.0.1', bucket: 'music', prefix: '' }, 's3+http://127.0.0.1/music'],
    ['subsonic+https://music.example/', { type: 'subsonic', url: 'https://music.example' }, 'subsonic+https://music.example'],
    [
      'remote+http://music.example:8080/base//',
      { type: 'remote', url: 'http://music.example:8080/base' },
      'remote+http://music.example:8080/base',
    ],
  ])('takes %s apart, and keeps one form of it', (text, address, kept) => {
    const parsed = parseStorageAddress(text);
    expect(parsed).toEqual(address);
    expect(storageAddressText(parsed as NonNullable<typeof parsed>)).toBe(kept);
    expect(parseStorageAddress(kept)).toEqual(address);
    expect(isElsewhere(kept)).toBe(true);
  });

  it.each([
    '/music',
    'music',
    's3://',
    's3://m',
    's3://music/../other',
    's3://music//other',
    's3+ftp://host/music',
    's3+https://host',
    's3+https://host/music/%',
    's3+https://ada:secret@host/music',
    'subsonic+https://host/?u=ada',
    'subsonic+https://ada:secret@host',
    'subsonic://host',
    'remote+file:///etc',
    'https://host',
  ])('takes %s for none', (text) => {
    expect(parseStorageAddress(text)).toBeUndefined();
  });

  it('never takes a folder for another place', () => {
    for (const path of ['/s3://music', '/subsonic+https://x', './s3:/music', '/']) expect(isElsewhere(path)).toBe(false);
  });
});
