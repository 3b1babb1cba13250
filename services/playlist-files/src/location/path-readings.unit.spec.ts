import { describe, expect, it } from 'vitest';
import { absoluteSegments, readLocation, segmentsOfPath } from './path-readings.js';
import { locationOfPath, uriOfPath } from './write-location.js';

/** Every path that a location may mean, seen from a folder. */
const meant = (location: string, encoded = false, folder = '/music/lists'): string[] | string => {
  const reading = readLocation(location, encoded);
  if (reading.kind === 'remote') return reading.url;
  return reading.paths.map((path) => `/${absoluteSegments(path, segmentsOfPath(folder)).join('/')}`);
};

describe('readLocation', () => {
  it.each([
    ['a/b.mp3', ['/music/lists/a/b.mp3']],
    ['./a//b.mp3', ['/music/lists/a/b.mp3']],
    ['../rock/b.mp3', ['/music/rock/b.mp3']],
    ['../../../../b.mp3', ['/b.mp3']],
    ['/srv/music/../b.mp3', ['/srv/b.mp3']],
    ['C:\\Music\\a.mp3', ['/Music/a.mp3']],
    ['c:/Music/a.mp3', ['/Music/a.mp3']],
    ['\\Music\\a.mp3', ['/music/lists/\\Music\\a.mp3', '/Music/a.mp3']],
    ['..\\rock\\b.mp3', ['/music/lists/..\\rock\\b.mp3', '/music/rock/b.mp3']],
    ['\\\\nas\\share\\a.mp3', ['/nas/share/a.mp3']],
    ['file:///srv/M%C3%BCsik/a%20b.mp3', ['/srv/Müsik/a b.mp3', '/srv/M%C3%BCsik/a%20b.mp3']],
    ['file:///srv/M%FCsik/a.mp3', ['/srv/Müsik/a.mp3', '/srv/M%FCsik/a.mp3']],
    ['file://localhost/srv/a.mp3', ['/srv/a.mp3']],
    ['file:/srv/a.mp3', ['/srv/a.mp3']],
    ['file:///C:/Music/a.mp3', ['/Music/a.mp3']],
    ['file:///C%3A/Music/a.mp3', ['/Music/a.mp3']],
    ['file:///C|/Music/a.mp3', ['/Music/a.mp3']],
    ['file://nas/share/a.mp3', ['/nas/share/a.mp3']],
    ['100%.mp3', ['/music/lists/100%.mp3']],
    ['a%20b.mp3', ['/music/lists/a%20b.mp3', '/music/lists/a b.mp3']],
    ['Mission: Impossible.mp3', ['/music/lists/Mission: Impossible.mp3']],
    ['http://radio.example/a.mp3', 'http://radio.example/a.mp3'],
    ['spotify://track/1', 'spotify://track/1'],
    ['..', []],
    ['/', []],
  ])('%s', (location, paths) => {
    expect(meant(location)).toEqual(paths);
  });

  it('decodes first where locations are URIs', () => {
    expect(meant('a%20b%252.mp3', true)).toEqual(['/music/lists/a b%2.mp3', '/music/lists/a%20b%252.mp3']);
  });
});

describe('locations that are written', () => {
  const folder = ['music', 'lists'];
  it('are relative to the folder of the list, or absolute', () => {
    expect(locationOfPath(['music', 'a', 'b.mp3'], { base: 'relative', folder, separator: '/' })).toBe('../a/b.mp3');
    expect(locationOfPath(['music', 'lists', 'C:', 'b.mp3'], { base: 'relative', folder, separator: '/' })).toBe('./C:/b.mp3');
    expect(locationOfPath(['music', 'a', 'b.mp3'], { base: 'relative', folder, separator: '\\' })).toBe('..\\a\\b.mp3');
    expect(locationOfPath(['music', 'lists'], { base: 'relative', folder, separator: '/' })).toBe('../lists');
    expect(locationOfPath(['music', 'a.mp3'], { base: 'absolute', folder, separator: '/' })).toBe('/music/a.mp3');
  });

  it('are URIs for XSPF', () => {
    expect(uriOfPath(['music', 'ä#?', '%.mp3'], { base: 'relative', folder })).toBe('../%C3%A4%23%3F/%25.mp3');
    expect(uriOfPath(['music', "it's.mp3"], { base: 'absolute', folder })).toBe('file:///music/it%27s.mp3');
  });
});
