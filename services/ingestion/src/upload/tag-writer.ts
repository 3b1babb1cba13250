import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { Rejection, type UploadedTags } from '@continuo/contracts';

const run = promisify(execFile);

/** Puts tags into a file in place; its sound stays as it is. */
export type TagWriter = (path: string, fileName: string, tags: UploadedTags) => Promise<void>;

const nameOf: Readonly<Record<keyof UploadedTags, string>> = {
  artist: 'artist',
  albumArtist: 'album_artist',
  album: 'album',
  license: 'license',
};

/**
 * Writes tags with ffmpeg, which copies everything else.
 * @param program ffmpeg; a bare name is looked up in `PATH`
 * @throws Rejection `upload.refused` when it cannot
 */
export const ffmpegTagWriter =
  (program: string, timeoutMs: number): TagWriter =>
  async (path, fileName, tags) => {
    const written = `${path}.tagged${extname(fileName)}`;
    const pairs = Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${nameOf[name as keyof UploadedTags]}=${value}`]);
    const args = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-protocol_whitelist', 'file'];
    const copy = ['-map', '0:a', '-map', '0:v?', '-c', 'copy', '-map_metadata', '0', '-id3v2_version', '4'];
    try {
      await run(program, [...args, '-i', `file:${path}`, ...copy, ...pairs, `file:${written}`], {
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
      });
      await rename(written, path);
    } catch (error) {
      await rm(written, { force: true });
      throw new Rejection('upload.refused', 'artist, album and licence cannot be written into this file; leave them out', undefined, {
        cause: error,
      });
    }
  };
