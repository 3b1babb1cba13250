import { safeFileNameOf } from '@continuo/chassis';
import type { FastifyReply } from 'fastify';
import type { SongFile } from '../../reads/songs/songs.reads.js';
import { sendBytes, type Exchange } from './send-bytes.js';
import type { HasMediaStore } from '../../server/needs.js';

/** A file name for a song, of what people know it by. */
export const songFileName = ({ artist, title, format }: Pick<SongFile, 'artist' | 'title' | 'format'>): string =>
  safeFileNameOf(artist === '' ? title : `${artist} - ${title}`, format);

/**
 * Sends the original bytes of a song, with Range; `onFound` runs once the file is known to be there.
 * @throws Rejection `media.not-found` when the file is gone, unreadable or outside its catalog
 */
export const sendSong = async (
  exchange: Exchange,
  { mediaStore }: HasMediaStore,
  song: SongFile,
  options: { readonly attachment: boolean; readonly onFound?: () => void },
): Promise<FastifyReply> => {
  const file = await mediaStore.openFile(song.catalogPath, song.path);
  const { sizeBytes, mtimeMs } = file;
  options.onFound?.();
  return sendBytes(exchange, {
    sizeBytes,
    mtimeMs,
    mime: song.mime,
    etag: `"${sizeBytes.toString(16)}-${Math.round(mtimeMs).toString(16)}"`,
    fileName: songFileName(song),
    attachment: options.attachment,
    cacheControl: 'private, no-cache',
    // The length is promised, so that it is what has to be there.
    open: (range) => file.read(range ?? (sizeBytes > 0 ? { start: 0, end: sizeBytes - 1 } : undefined)),
    close: () => file.close(),
  });
};
