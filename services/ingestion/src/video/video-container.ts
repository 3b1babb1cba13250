/** A container as clients know it. */
export interface VideoContainer {
  /** Usual file suffix. */
  readonly format: string;
  readonly mime: string;
}

const mimes = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  f4v: 'video/mp4',
  mov: 'video/quicktime',
  '3gp': 'video/3gpp',
  '3g2': 'video/3gpp2',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  vob: 'video/mpeg',
  ogv: 'video/ogg',
  ts: 'video/mp2t',
  m2ts: 'video/mp2t',
  wmv: 'video/x-ms-wmv',
  flv: 'video/x-flv',
  rm: 'application/vnd.rn-realmedia',
} as const;
type Format = keyof typeof mimes;

/** Containers by the name that ffprobe gives the family: the usual suffix first, then the members that only a file's own suffix tells apart. */
const families: readonly (readonly [RegExp, readonly [Format, ...Format[]]])[] = [
  [/^mov,/, ['mp4', 'm4v', 'mov', '3gp', '3g2', 'f4v']],
  [/^matroska/, ['mkv', 'webm']],
  [/^avi$/, ['avi']],
  [/^mpegts$/, ['ts', 'm2ts']],
  [/^mpeg(?:video)?$/, ['mpg', 'vob']],
  [/^ogg$/, ['ogv']],
  [/^asf$/, ['wmv']],
  [/^(?:live_)?flv$/, ['flv']],
  [/^rm$/, ['rm']],
];

/** Families of containers that are opened at all: not those that lead to other files, as playlists do. */
export const READABLE_FORMATS = 'mov,matroska,avi,mpegts,mpeg,mpegvideo,ogg,asf,flv,rm';

/** Names a container by what was found in the file; the suffix only decides within a family. Undefined for one that is not served. */
export const videoContainer = (formatName: string, fileName: string): VideoContainer | undefined => {
  const members = families.find(([pattern]) => pattern.test(formatName))?.[1];
  if (!members) return undefined;
  const suffix = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const format = members.find((member) => member === suffix) ?? members[0];
  return { format, mime: mimes[format] };
};
