import { writeM3u } from '@continuo/playlist-files/m3u';
import { t } from '../../messages/index.js';
import type { Playlist, Song } from '../../lib/api.js';
import { songsOf } from '../../lib/song-sources.js';
import { announce } from '../../ui/action.js';
import { lengthOf } from './queries.js';

const SONGS_PER_REQUEST = 1000;
/** Browsers read what they save some time after the click. */
const SAVED_WITHIN_MS = 60_000;

/** Saves a playlist or smartlist as an M3U file, with the paths of the files on the server. @throws ApiError */
export const saveAsFile = async (list: Playlist): Promise<void> => {
  announce(t.savingFile(list.name));
  const songs: Song[] = [];
  while (songs.length < lengthOf(list)) {
    const { items } = await songsOf({ kind: 'playlist', id: list.id }, songs.length, SONGS_PER_REQUEST);
    if (items.length === 0) break;
    songs.push(...items);
  }
  const entries = songs.map(({ title, time, filename, artist, album }) => ({
    title,
    artist: artist.name,
    album: album.name,
    durationMs: time * 1000,
    locations: [filename],
  }));
  const text = [...writeM3u({ title: list.name, entries })];
  const address = URL.createObjectURL(new Blob(text, { type: 'audio/x-mpegurl' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${list.name}.m3u8`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_WITHIN_MS);
};
