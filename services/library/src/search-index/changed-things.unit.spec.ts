import type { RecordedEvent } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { changedThings } from './changed-things.js';

const event = (type: string, data: object): RecordedEvent => ({ type, data }) as unknown as RecordedEvent;
const names = { artists: [{ id: 21 }, { id: 22 }], albums: [{ id: 11 }], genres: [], moods: [] };
const idsOf = (...events: RecordedEvent[]) => {
  const { ids, ...rest } = changedThings(events);
  return { ...Object.fromEntries(Object.entries(ids).map(([kind, set]) => [kind, [...set]])), ...rest };
};
const nothing = { song: [], album: [], artist: [], playlist: [], video: [], isThinned: false, isCatalogGone: false };

describe('what events change of what is found by words', () => {
  it('is each thing once, however often it is named', () => {
    const added = event('TracksAdded', { tracks: [{ songId: 1 }, { songId: 2 }], names });
    const named = { song: [1, 2], album: [11], artist: [21, 22] };
    expect(idsOf(added, added)).toEqual({ ...nothing, ...named });
    expect(idsOf(event('TracksChanged', { tracks: [{ songId: 1 }, { songId: 2 }], names }))).toEqual({
      ...nothing,
      ...named,
      isThinned: true,
    });
  });

  it('may be an album or artist that nobody names, when songs go', () => {
    expect(idsOf(event('TracksRemoved', { songs: [{ songId: 3, fileName: 'x' }] }))).toEqual({ ...nothing, song: [3], isThinned: true });
  });

  it('is a playlist when its terms change, not when its songs do', () => {
    expect(idsOf(event('PlaylistChanged', { playlistId: 5 }), event('PlaylistMembersAdded', { playlistId: 6 }))).toEqual({
      ...nothing,
      playlist: [5],
    });
  });

  it('is everything when a catalog ends', () => {
    expect(idsOf(event('CatalogRemoved', { catalogId: 1 }), event('VideosRemoved', { videos: [{ videoId: 4 }] }))).toEqual({
      ...nothing,
      video: [4],
      isCatalogGone: true,
    });
    expect(idsOf(event('GenreHidden', { genreId: 1 }))).toEqual(nothing);
  });
});
