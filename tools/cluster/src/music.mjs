import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownMusic } from './config.mjs';
import { inState } from './paths.mjs';
import { run } from './shell.mjs';

/** The folder that the node offers as /srv/music would be. */
export const music = inState('music');

const ALBUMS = 4;
const SONGS = 5;

/** Fills the folder: with copies of what CONTINUO_CLUSTER_MUSIC names, or with noise under titles. Answers how many songs there are. */
export const fillMusicFolder = async () => {
  mkdirSync(music, { recursive: true });
  if (ownMusic) cpSync(ownMusic, music, { recursive: true, dereference: true });
  else for (let album = 1; album <= ALBUMS; album += 1) for (let track = 1; track <= SONGS; track += 1) await makeSong(album, track);
  return countMusic();
};

/** Counts the songs in the folder. */
export const countMusic = () => readdirSync(music, { recursive: true }).filter((name) => /\.(mp3|ogg|flac|m4a)$/.test(name)).length;

const makeSong = async (album, track) => {
  const folder = join(music, `Album ${album}`);
  mkdirSync(folder, { recursive: true });
  const tags = { title: `Song ${track}`, artist: `Artist ${album}`, album: `Album ${album}`, track: String(track) };
  const sound = `anoisesrc=duration=90:color=pink:seed=${album * 100 + track}`;
  const named = Object.entries(tags).flatMap(([key, value]) => ['-metadata', `${key}=${value}`]);
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', sound, ...named, '-y', join(folder, `${track}.flac`)]);
};
