import type { ReadModel } from '@continuo/contracts';
import { PlaylistFileFault, readAndMatch, type MatchedPlaylistFile, type PlaylistFaultReason } from '@continuo/playlist-files';
import type { Kysely } from 'kysely';
import { OperatorError } from '../connect/operator-error.js';

/** Remedy for each reason that a file is refused. */
const remedies: Readonly<Record<PlaylistFaultReason, string>> = {
  'too-large': 'is it really a playlist?',
  'too-many-entries': 'import it in parts',
  binary: 'is it really a playlist?',
  stream: 'a playlist names songs',
  malformed: 'write it anew with the program that made it, or as M3U8',
  'unknown-encoding': 'character sets have names like windows-1252, shift_jis or utf-16le',
};

/** Finds the songs of a playlist file. @throws OperatorError for what is no playlist */
export const matchPlaylistFile = (
  db: Kysely<ReadModel>,
  bytes: Uint8Array,
  file: { readonly fileName: string; readonly folder?: string | undefined; readonly encoding?: string | undefined },
): Promise<MatchedPlaylistFile> =>
  readAndMatch(db, bytes, file).catch((cause: unknown) => {
    if (!(cause instanceof PlaylistFileFault)) throw cause;
    throw new OperatorError(`${cause.message}: ${remedies[cause.reason]}`, undefined, { cause });
  });
