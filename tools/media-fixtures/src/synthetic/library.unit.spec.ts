import { describe, expect, it } from 'vitest';
import { artistName, albumName, uniqueWord } from './names.js';
import { syntheticLibrary } from './library.js';
import { randomFor, zipf } from './random.js';

const albumsOf = (songs: number, seed: number) => {
  const library = syntheticLibrary(songs, seed);
  return Array.from({ length: library.albums }, (_, number) => library.album(number));
};

describe('syntheticLibrary', () => {
  it('has exactly the songs asked for', () => {
    for (const songs of [1, 11, 12, 13, 1000]) {
      expect(albumsOf(songs, 1).flatMap((album) => album.tracks)).toHaveLength(songs);
    }
  });

  it('takes the size of its albums and the kind of their covers from the shape', () => {
    const library = syntheticLibrary(95, 1, { songsPerAlbum: 10, albumsPerArtist: 1, art: 'folder' });
    const albums = Array.from({ length: library.albums }, (_, number) => library.album(number));
    expect(albums.map(({ tracks }) => tracks.length)).toEqual([10, 10, 10, 10, 10, 10, 10, 10, 10, 5]);
    expect(albums.every(({ art }) => art === 'folder')).toBe(true);
    expect(library.artists).toBe(10);
  });

  it('is the same for the same seed, in any order, and another for another seed', () => {
    const library = syntheticLibrary(600, 7);
    const late = library.album(40);
    library.album(3);
    expect(syntheticLibrary(600, 7).album(40)).toEqual(late);
    expect(syntheticLibrary(600, 8).album(40)).not.toEqual(late);
  });

  it('numbers every track of a disk once', () => {
    for (const album of albumsOf(2000, 3)) {
      const places = album.tracks.map(({ disk, track }) => `${disk}/${track}`);
      expect(new Set(places).size).toBe(album.tracks.length);
      expect(Math.max(...album.tracks.map(({ disk }) => disk))).toBe(album.disks);
    }
  });

  it('has stars and a long tail', () => {
    const albums = albumsOf(24_000, 5);
    const byArtist = new Map<number, number>();
    for (const album of albums) byArtist.set(album.artist.number, (byArtist.get(album.artist.number) ?? 0) + 1);
    const counts = [...byArtist.values()].toSorted((a, b) => b - a);
    expect(counts[0]).toBeGreaterThan(20);
    expect(counts.at(-1)).toBe(1);
    expect(albums.filter((album) => album.compilation).length).toBeGreaterThan(albums.length * 0.01);
  });
});

describe('names', () => {
  it('are unique', () => {
    const numbers = Array.from({ length: 50_000 }, (_, n) => n);
    expect(new Set(numbers.map(uniqueWord)).size).toBe(numbers.length);
    expect(new Set(numbers.map(artistName)).size).toBe(numbers.length);
    expect(new Set(numbers.map(albumName)).size).toBe(numbers.length);
  });
});

describe('randomFor', () => {
  it('gives a row that must never change, because manifests and comparisons rest on it', () => {
    const random = randomFor(1, 'x');
    expect([random.below(1000), random.below(1000), random.below(1000)]).toMatchInlineSnapshot(`
      [
        502,
        882,
        66,
      ]
    `);
  });

  it('favours low ranks under zipf and reaches the last', () => {
    const random = randomFor(2, 'zipf');
    const pick = zipf(10, 1);
    const seen = Array.from({ length: 5000 }, () => pick(random));
    expect(seen.filter((rank) => rank === 0).length).toBeGreaterThan(seen.filter((rank) => rank === 9).length * 4);
    expect(new Set(seen).size).toBe(10);
  });
});
