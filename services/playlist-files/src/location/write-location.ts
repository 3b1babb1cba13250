/** Path style of an exported list. */
export interface PathStyle {
  /** `relative` to the folder that the list will lie in; `absolute` from the root of the file system. */
  readonly base: 'relative' | 'absolute';
  /** Names of the folder that the list will lie in, from the root down. */
  readonly folder: readonly string[];
  readonly separator: '/' | '\\';
}

/** `../` for every step up, then the names down; from the root when the two have nothing in common is still right on one file system. */
const relativeNames = (from: readonly string[], to: readonly string[]): string[] => {
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common += 1;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)];
};

/** The path of a file as it stands in M3U and PLS. @param file names from the root down */
export const locationOfPath = (file: readonly string[], { base, folder, separator }: PathStyle): string => {
  if (base === 'absolute') return `${separator}${file.join(separator)}`;
  const names = relativeNames(folder, file);
  // A first name that looks like the scheme of a URI or a drive would be read as one.
  return /^[a-z][a-z0-9+.-]*:/i.test(names[0] ?? '') ? ['.', ...names].join(separator) : names.join(separator);
};

/** `encodeURIComponent` leaves some signs alone that are reserved in URIs. */
const encodedName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The path of a file as the URI that XSPF wants: `file:` for an absolute one, a relative reference otherwise. */
export const uriOfPath = (file: readonly string[], { base, folder }: Omit<PathStyle, 'separator'>): string => {
  if (base === 'absolute') return `file:///${file.map(encodedName).join('/')}`;
  return relativeNames(folder, file).map(encodedName).join('/');
};
