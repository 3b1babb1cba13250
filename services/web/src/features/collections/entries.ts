import type { Contents } from './queries.js';

type Entry = Contents[number];

/** Name of an entry and the view that shows it. */
export interface ShownEntry {
  readonly name: string;
  readonly by?: string | undefined;
  readonly to: string;
}

const shown = (name: string, to: string, by?: string): ShownEntry => ({ name, to, by });

/** Name, picture and address of an entry; undefined for one that is gone or hidden. */
export const entryOf = (entry: Entry): ShownEntry | undefined => {
  const { song, album, album_disk: disk, artist, playlist, search, podcast, podcast_episode: episode, live_stream: station, video } = entry;
  if (song) return shown(song.title, `/albums/${song.album.id}`, song.artist.name);
  if (album) return shown(album.name, `/albums/${album.id}`, album.artist?.name);
  if (disk) return shown(disk.name, `/albums/${disk.album.id}`, disk.artist?.name);
  if (artist) return shown(artist.name, `/artists/${artist.id}`);
  if (playlist) return shown(playlist.name, `/playlists/${playlist.id}`);
  if (search) return shown(search.name, `/playlists/${search.id}`);
  if (podcast) return shown(podcast.name, `/podcasts/${podcast.id}`);
  if (episode) return shown(episode.title, `/podcasts/${episode.podcast.id}`, episode.podcast.name);
  if (station) return shown(station.name, '/radio');
  return video && shown(video.title, `/videos/${video.id}`);
};
