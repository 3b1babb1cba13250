import type { ScannedTrack } from '@continuo/contracts';
import type { IAudioMetadata } from 'music-metadata';
import { cueFileOf, readCueBlock, readCueSheet, type CueSheet } from './cue-sheet.js';
import { cueTracks, type WholeTrack } from './cue-tracks.js';
import { decodeText } from './decode-text.js';
import type { ReadAt } from './raw-tags.js';
import { readSmallFile } from './small-file.js';
import { TagBag } from './tag-bag.js';
import type { Notice, TrackRequest } from './tag-reader.js';
import type { TagRules } from './tag-rules.js';
import { flacBlocks } from './vorbis-block.js';

/** A sheet of 99 tracks takes some kilobytes. */
const MAX_SHEET_BYTES = 200_000;

/** A file that has been read, and what it was read from. */
export interface ReadFile {
  readonly request: Pick<TrackRequest, 'fileName' | 'cuePaths'>;
  readonly peek: ReadAt;
  readonly metadata: IAudioMetadata;
  readonly rules: TagRules;
  /** Receives notices about skipped content. */
  readonly notices: Notice[];
}

/** Sheets in files beside the sound; one that cannot be read is told of, and the file stays whole. */
const besideIt = async ({ request, rules, notices }: ReadFile): Promise<CueSheet[]> => {
  const sheets: CueSheet[] = [];
  for (const path of request.cuePaths ?? []) {
    try {
      const { bytes } = await readSmallFile(path, MAX_SHEET_BYTES);
      if (bytes) sheets.push(readCueSheet(decodeText(bytes, rules.encoding)));
      else notices.push({ reason: 'too-large', message: `a cue sheet of more than ${MAX_SHEET_BYTES} bytes is left out` });
    } catch (error) {
      notices.push({ reason: 'unreadable', message: `a cue sheet is left out: ${error instanceof Error ? error.message : String(error)}` });
    }
  }
  return sheets;
};

/** Sheets inside the file: as a tag, or, without names, as a block of FLAC. */
const insideIt = async ({ metadata, peek }: ReadFile): Promise<CueSheet[]> => {
  const text = new TagBag(metadata.native).all('cuesheet').find((value) => typeof value === 'string');
  if (typeof text === 'string' && text.length <= MAX_SHEET_BYTES) return [readCueSheet(text)];
  if (!/^flac$/i.test(metadata.format.container ?? '')) return [];
  const { cueSheet } = await flacBlocks(peek, 0);
  return cueSheet ? [readCueBlock(cueSheet, metadata.format.sampleRate ?? 0)] : [];
};

/**
 * The songs that a cue sheet makes of a file: one beside it that names it, else one inside it. Undefined for a file that is one song. A sheet that does not fit is
 * told of.
 */
export const cutTracks = async (whole: WholeTrack, file: ReadFile): Promise<ScannedTrack[] | undefined> => {
  const { fileName } = file.request;
  const [beside, inside] = [await besideIt(file), await insideIt(file)];
  for (const sheet of [...beside, ...inside]) {
    const cuts = cueFileOf(sheet, fileName, inside.includes(sheet));
    if (cuts === undefined) continue;
    const parts = cueTracks(whole, sheet, cuts, file.rules);
    if (parts) return parts;
    file.notices.push({ reason: 'damaged', message: 'its cue sheet is not used: its times do not fit the file' });
  }
  return undefined;
};
