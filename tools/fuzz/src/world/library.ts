import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateFiles, makeSeeds, tagWriter } from '@continuo/media-fixtures';
import { hostileTexts } from '../generate/hostile.js';
import { HIDDEN_CANARY } from './canaries.js';

/** Folders of the campaign's catalogs. */
export interface LibraryFolders {
  /** Songs as everybody has them. */
  readonly usual: string;
  /** Songs whose tags and names break what reads them. */
  readonly hostile: string;
  /** Nothing yet: podcasts. */
  readonly talks: string;
  /** Songs that nobody of the campaign may see. */
  readonly hidden: string;
}

/** Removes characters that no tag can hold; never empty. */
const writable = (text: string): string => text.toWellFormed().replaceAll('\0', '') || 'empty';
/** Makes a text a valid file name. */
const fileName = (text: string): string => writable(text).replaceAll(/[/\0]/g, '_').slice(0, 40);

const LONG_TITLE = 'Ein sehr langer Titel '.repeat(480);

const writeHostile = async (folder: string): Promise<void> => {
  const [seeds, writer] = [await makeSeeds(['mp3', 'flac']), await tagWriter()];
  const texts = [...hostileTexts.filter((text) => text !== ''), LONG_TITLE];
  for (const [index, text] of texts.entries()) {
    const format = index % 2 === 0 ? 'mp3' : 'flac';
    const seed = seeds.sound.get(format);
    if (!seed) throw new Error(`no seed for ${format}`);
    const value = writable(text);
    const tags = {
      title: [value],
      artist: [value],
      album: [index % 3 === 0 ? value : `Album ${index % 7}`],
      genre: [value.slice(0, 200)],
      date: [index % 5 === 0 ? value : '2001'],
      trackNumber: [String(index)],
      comment: [value],
      lyrics: [value],
      label: [value],
      composer: [value],
    };
    const album = join(folder, index % 4 === 0 ? fileName(text) || 'x' : 'plain').replace(/\.+$/, 'dots');
    await mkdir(album, { recursive: true });
    await writeFile(join(album, `${index} ${fileName(text)}.${format}`), await writer.write(seed, tags));
  }
};

const writeHidden = async (folder: string): Promise<void> => {
  const [seeds, writer] = [await makeSeeds(['mp3']), await tagWriter()];
  const seed = seeds.sound.get('mp3');
  if (!seed) throw new Error('no seed for mp3');
  for (let number = 1; number <= 6; number += 1) {
    const name = (what: string): string[] => [`${HIDDEN_CANARY} ${what} ${number % 3}`];
    const tags = {
      title: [`${HIDDEN_CANARY} title ${number}`],
      artist: name('artist'),
      albumArtist: name('artist'),
      album: name('album'),
      genre: name('genre'),
      label: name('label'),
      lyrics: name('lyrics'),
      comment: name('comment'),
      trackNumber: [String(number)],
    };
    await mkdir(join(folder, `${HIDDEN_CANARY} folder`), { recursive: true });
    await writeFile(join(folder, `${HIDDEN_CANARY} folder`, `${HIDDEN_CANARY} ${number}.mp3`), await writer.write(seed, tags));
  }
};

/** Writes the campaign's media files below a folder. @throws Error when ffmpeg is missing */
export const writeLibrary = async (root: string): Promise<LibraryFolders> => {
  const folders = {
    usual: join(root, 'usual'),
    hostile: join(root, 'hostile'),
    talks: join(root, 'talks'),
    hidden: join(root, `${HIDDEN_CANARY}-music`),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  await generateFiles({ out: folders.usual, count: 24, formats: ['mp3', 'flac'], seed: 7, flat: false });
  await writeHostile(folders.hostile);
  await writeHidden(folders.hidden);
  return folders;
};
