import type { FastifyReply } from 'fastify';
import type { SongFile } from '../reads/songs.reads.js';
import type { GatewayServices } from '../services.js';
import { sendBytes, type Exchange } from './send-bytes.js';

/** A file name for a song, of what people know it by. */
export const songFileName = ({ artist, title, format }: Pick<SongFile, 'artist' | 'title' | 'format'>): string =>
  `${artist === '' ? '' : `${artist} - `}${title}.${format}`;

/**
 * Sends the original bytes of a song, with Range; `onFound` runs once the file is known to be there.
 * @throws Rejection `media.not-found` when the file is gone, unreadable or outside its catalog
 */
export const sendSong = async (
  exchange: Exchange,
  { mediaStore }: Pick<GatewayServices, 'mediaStore'>,
  song: SongFile,
  options: { readonly attachment: boolean; readonly onFound?: () => void },
): Promise<FastifyReply> => {
  const { sizeBytes, mtimeMs } = await mediaStore.stat(song.catalogPath, song.path);
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
    open: (range) => mediaStore.open(song.catalogPath, song.path, range ?? (sizeBytes > 0 ? { start: 0, end: sizeBytes - 1 } : undefined)),
  });
};
