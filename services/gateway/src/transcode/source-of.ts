import type { TranscodeSource, TranscodeTarget } from '@continuo/contracts';
import type { SoundPart } from './decision/sound-facts.js';

/** A file as the media store has it, and where in it a song lies that shares it. */
export interface SourceFile {
  readonly catalogPath: string;
  readonly path: string;
  readonly durationMs: number;
  readonly part?: SoundPart | undefined;
}

/** Builds the transcode request for a file. Of a song that shares its file with others, times are counted from its beginning on until here, and from the file's behind. */
export const transcodeRequestOf = (
  { catalogPath, path, durationMs, part }: SourceFile,
  { sizeBytes, mtimeMs }: { readonly sizeBytes: number; readonly mtimeMs: number },
  target: TranscodeTarget,
): { source: TranscodeSource; target: TranscodeTarget } => {
  const source = { catalogPath, path, sizeBytes, modifiedAtMs: mtimeMs, durationMs: part?.sourceMs ?? durationMs };
  if (!part) return { source, target };
  const leftMs = Math.max(1, durationMs - target.offsetMs);
  return { source, target: { ...target, offsetMs: part.startMs + target.offsetMs, lengthMs: Math.min(target.lengthMs ?? leftMs, leftMs) } };
};
