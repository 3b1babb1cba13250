import { isUtf8 } from 'node:buffer';

/** One way to understand a location: names of folders and, last, of the file. `..` is resolved as far as it can be. */
export interface PathReading {
  /** `absolute`: from the root of a file system, perhaps another machine's. `relative`: from the folder of the list, or from wherever the writer thought. */
  readonly kind: 'absolute' | 'relative';
  /** Steps that a relative path goes up before its first name. */
  readonly up: number;
  readonly segments: readonly string[];
}

/** Reading of a location: paths in order of likelihood, or the address of something elsewhere. */
export type LocationReading =
  | { readonly kind: 'remote'; readonly url: string }
  | { readonly kind: 'paths'; readonly paths: readonly PathReading[] };

const SCHEME = /^([a-z][a-z0-9+.-]+):/i;
const DRIVE = /^[a-z]:(?=[\\/])/i;
const UNC = /^\\\\[^\\]/;

/** Percent-encoding resolved; bytes that are no UTF-8 are taken for the western single-byte set. Stray percent signs stay. */
const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex');
    return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
  });

const readingOf = (path: string, kind: PathReading['kind']): PathReading | undefined => {
  const segments: string[] = [];
  let up = 0;
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') segments.push(name);
    else if (segments.length > 0) segments.pop();
    else up += 1;
  }
  if (segments.length === 0) return undefined;
  return { kind, up: kind === 'absolute' ? 0 : up, segments };
};

/** A path of one spelling: a drive letter, a share or a leading separator makes it absolute. */
const pathReading = (path: string, separators: 'posix' | 'windows'): PathReading | undefined => {
  if (path.includes('\0')) return undefined;
  const slashed = separators === 'windows' ? path.replaceAll('\\', '/') : path;
  const bare = separators === 'windows' ? slashed.replace(DRIVE, '') : slashed;
  return readingOf(bare, bare.startsWith('/') ? 'absolute' : 'relative');
};

/** A path as it stands first, then with Windows' separators where it has any. */
const plainReadings = (path: string): PathReading[] => {
  const windows = path.includes('\\') || DRIVE.test(path) ? pathReading(path, 'windows') : undefined;
  const isWindows = DRIVE.test(path) || UNC.test(path);
  return [isWindows ? undefined : pathReading(path, 'posix'), windows].filter((reading) => reading !== undefined);
};

const sameReading = (a: PathReading, b: PathReading): boolean =>
  a.kind === b.kind && a.up === b.up && a.segments.length === b.segments.length && a.segments.every((name, at) => name === b.segments[at]);

const distinct = (readings: readonly PathReading[]): PathReading[] =>
  readings.filter((reading, at) => readings.findIndex((other) => sameReading(reading, other)) === at);

/** The path of a `file:` URI; a host other than this machine becomes the first name, as in a share of Windows. */
const filePath = (uri: string): string => {
  const rest = uri.slice('file:'.length).replace(/[?#].*$/s, '');
  const [, host = '', path = rest] = /^\/\/([^/]*)(\/.*)?$/s.exec(rest) ?? [];
  const shared = host === '' || host.toLowerCase() === 'localhost' ? path : `/${host}${path}`;
  return shared.replace(/^\/+(?=[a-z](?::|%3a|\|)[\\/])/i, '').replace(/^([a-z])(?:%3a|\|)/i, '$1:');
};

/**
 * Every way in which a location may be meant. A file name may hold percent signs, backslashes, colons and hashes, so that a path which looks encoded or
 * foreign is taken as it stands, too; whoever knows the files decides.
 * @param encoded true for formats whose locations are URIs (XSPF): the decoded form then goes first
 */
export const readLocation = (location: string, encoded: boolean): LocationReading => {
  const scheme = DRIVE.test(location) ? undefined : SCHEME.exec(location)?.[1]?.toLowerCase();
  if (scheme === 'file') {
    const path = filePath(location);
    // Some programs write paths into file URIs as they are.
    return { kind: 'paths', paths: distinct([...plainReadings(percentDecoded(path)), ...plainReadings(path)]) };
  }
  if (scheme !== undefined && /^[^:]+:\/\//.test(location)) return { kind: 'remote', url: location };
  const asIs = plainReadings(location);
  if (!location.includes('%')) return { kind: 'paths', paths: distinct(asIs) };
  const decoded = plainReadings(percentDecoded(location));
  return { kind: 'paths', paths: distinct(encoded ? [...decoded, ...asIs] : [...asIs, ...decoded]) };
};

/**
 * A reading as a path from the root, seen from the folder that the list lies in; `..` beyond the root stays at the root.
 * @param folder names from the root of the file system down
 */
export const absoluteSegments = ({ kind, up, segments }: PathReading, folder: readonly string[]): string[] =>
  kind === 'absolute' ? [...segments] : [...folder.slice(0, Math.max(0, folder.length - up)), ...segments];

/** Names of an absolute path of this machine, `.` and `..` resolved. */
export const segmentsOfPath = (path: string): readonly string[] => readingOf(path, 'absolute')?.segments ?? [];
