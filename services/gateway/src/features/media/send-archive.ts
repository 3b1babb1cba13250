import { safeFileNameOf } from '@continuo/chassis';
import type { Readable } from 'node:stream';
import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import { ZipFile } from 'yazl';
import type { SongView } from '../../reads/songs/songs.reads.js';
import { archiveNames, type ArchiveOrder } from './archive-names.js';
import { contentDisposition, type Exchange } from './send-bytes.js';
import type { HasArchiveSlots, HasLog, HasMediaStore } from '../../server/needs.js';

/** A file as it goes into an archive. */
export interface ArchivedFile {
  /** Under which it stands in the archive; it may lead through folders. */
  readonly name: string;
  readonly catalogPath: string;
  /** Relative to the catalog's root; null: it is not here. */
  readonly path: string | null;
}

/** The songs that go into an archive. */
export interface ArchivedSongs {
  readonly songs: readonly SongView[];
  readonly order: ArchiveOrder;
}

/** Files of an archive, and the name of the archived object. */
export type WantedArchive = { readonly name: string } & (ArchivedSongs | { readonly files: readonly ArchivedFile[] });

type ArchiveServices = HasMediaStore & HasArchiveSlots & HasLog;

interface Entry extends ArchivedFile {
  /** Undefined for a file that is not there. */
  readonly found: { readonly sizeBytes: number; readonly mtimeMs: number } | undefined;
}

/** Files that are checked at the same time. */
const AT_ONCE = 16;
/** Names what an archive lacks. */
const MISSING = 'missing files.txt';

/** Songs that share a file bring it once, and whole. */
const oncePerFile = (songs: readonly SongView[]): readonly SongView[] => {
  if (!songs.some(({ doc }) => doc.part)) return songs;
  const seen = new Set<string>();
  return songs.filter(({ doc, catalogPath }) => {
    const file = `${catalogPath}\0${doc.path}`;
    const isFirst = !seen.has(file);
    seen.add(file);
    return isFirst;
  });
};

const filesOf = ({ songs: wanted, order }: ArchivedSongs): readonly ArchivedFile[] => {
  const songs = oncePerFile(wanted);
  const names = archiveNames(
    songs.map(({ doc }) => doc),
    order,
  );
  return songs.map(({ doc, catalogPath }, index) => ({ name: names[index] ?? '', catalogPath, path: doc.path }));
};

const entriesOf = async (wanted: WantedArchive, { mediaStore }: ArchiveServices): Promise<Entry[]> => {
  const files = 'files' in wanted ? wanted.files : filesOf(wanted);
  const look = async (file: ArchivedFile): Promise<Entry> => {
    if (file.path === null) return { ...file, found: undefined };
    const found = await mediaStore.stat(file.catalogPath, file.path).catch((error: unknown) => {
      if (error instanceof Rejection && error.code === 'media.not-found') return undefined;
      throw error;
    });
    return { ...file, found };
  };
  const entries: Entry[] = [];
  for (let start = 0; start < files.length; start += AT_ONCE)
    entries.push(...(await Promise.all(files.slice(start, start + AT_ONCE).map(look))));
  return entries;
};

/** An archive of files that are read one after the other, and how large it becomes. */
interface OpenArchive {
  readonly body: Readable;
  readonly sizeBytes: number;
}

const archiveOf = async (entries: readonly Entry[], { mediaStore }: ArchiveServices): Promise<OpenArchive> => {
  const zip = new ZipFile();
  const body = zip.outputStream as Readable;
  let reading: Readable | undefined;
  zip.on('error', (error: Error) => body.destroy(error));
  body.once('close', () => reading?.destroy());
  for (const { name, path, catalogPath, found } of entries) {
    if (!found || path === null) continue;
    // Media are compressed already; stored as they are, the length of the whole is known before it begins.
    const options = { size: found.sizeBytes, mtime: new Date(found.mtimeMs), compress: false };
    zip.addReadStreamLazy(name, options, (done) => {
      const opened = (stream: Readable): void => {
        reading = stream;
        if (body.destroyed) stream.destroy();
        done(undefined, stream);
      };
      mediaStore.open(catalogPath, path).then(opened, (error: unknown) => body.destroy(error as Error));
    });
  }
  const missing = entries.filter(({ found }) => !found);
  if (missing.length > 0) zip.addBuffer(Buffer.from(missing.map(({ name }) => `${name}\n`).join('')), MISSING, { compress: false });
  const sizeBytes = await new Promise<number>((resolve) => {
    // Its types know nothing of the size that it tells.
    zip.end({ forceZip64Format: false, comment: '' }, resolve as () => void);
  });
  return { body, sizeBytes };
};

/**
 * Sends the original files of songs as a zip archive, which is made while it is sent. What is missing is named in a text beside the others; a file that fails on
 * the way breaks the answer off.
 * @throws Rejection `media.not-found` when no file is there, `unavailable` while as many archives are under way as there may be
 */
export const sendArchive = async (
  { request, reply }: Exchange,
  services: ArchiveServices,
  wanted: WantedArchive,
): Promise<FastifyReply> => {
  const release = await services.archiveSlots.acquire();
  try {
    const entries = await entriesOf(wanted, services);
    if (entries.every(({ found }) => !found)) throw new Rejection('media.not-found');
    const { body, sizeBytes } = await archiveOf(entries, services);
    reply
      .type('application/zip')
      .header('content-length', sizeBytes)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('content-disposition', contentDisposition(safeFileNameOf(wanted.name, 'zip'), true))
      .header('cache-control', 'private, no-cache');
    if (request.method === 'HEAD' || reply.raw.destroyed) {
      body.destroy();
      release();
      return request.method === 'HEAD' ? reply.send() : reply;
    }
    body.once('close', release);
    return reply.send(body);
  } catch (error) {
    release();
    throw error;
  }
};
