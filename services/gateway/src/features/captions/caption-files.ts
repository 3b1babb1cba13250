import { sha256Hex } from '@continuo/chassis';

/** Suffixes of caption files. */
const SUFFIXES = ['srt', 'vtt', 'ass', 'ssa'] as const;
export type CaptionSuffix = (typeof SUFFIXES)[number];

/** A file of captions beside a video. */
export interface CaptionFile {
  /** Eight hexadecimal digits, derived from the file name. */
  readonly key: string;
  readonly fileName: string;
  readonly suffix: CaptionSuffix;
  /** Text between the video's name and the suffix: `en`, `de.forced`; may be empty. */
  readonly label: string;
}

const MAX_FILES = 64;
const MAX_LABEL_CHARS = 60;

const stemOf = (fileName: string): string => {
  const dot = fileName.lastIndexOf('.');
  return dot > 0 ? fileName.slice(0, dot) : fileName;
};

const suffixOf = (fileName: string): CaptionSuffix | undefined => {
  const suffix = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return SUFFIXES.find((known) => known === suffix);
};

/** True when another file matches the captions more closely: `Film 2.srt` belongs to `Film 2.mkv`, not to `Film.mkv`. */
const belongsToOther = (own: string, stem: string, others: readonly string[]): boolean =>
  others.some((other) => other.length > stem.length && own.startsWith(other));

/** Caption files of a video: same name, optionally with a label in between (`Film.en.srt` beside `Film.mkv`). */
export const captionFilesOf = (videoFileName: string, names: readonly string[]): CaptionFile[] => {
  const stem = stemOf(videoFileName).toLowerCase();
  const others = names.filter((name) => !suffixOf(name)).map((name) => stemOf(name).toLowerCase());
  return names
    .flatMap((fileName): CaptionFile[] => {
      const suffix = suffixOf(fileName);
      const own = stemOf(fileName);
      if (!suffix || !own.toLowerCase().startsWith(stem)) return [];
      if (belongsToOther(own.toLowerCase(), stem, others)) return [];
      const label = own.slice(stem.length);
      if (label !== '' && !/^[._ -]/.test(label)) return [];
      const word = label.slice(1).trim();
      return word.length > MAX_LABEL_CHARS ? [] : [{ key: sha256Hex(fileName).slice(0, 8), fileName, suffix, label: word }];
    })
    .toSorted(
      (a, b) =>
        a.label.localeCompare(b.label) || SUFFIXES.indexOf(a.suffix) - SUFFIXES.indexOf(b.suffix) || (a.fileName < b.fileName ? -1 : 1),
    )
    .slice(0, MAX_FILES);
};
