/**
 * Under which name a folder knows a song that shares its file with others: the file's, a slash, and the number on the sheet. No file can be called so, and a
 * sheet that is made anew keeps the numbers and with them the songs.
 */
export const partName = (fileName: string, number: number): string => `${fileName}/${String(number).padStart(2, '0')}`;

/** Pictures of the folder above are called by a path, too. */
const PART = /^(?!\.\.\/)([^/]+)\/\d+$/;

/** The file in which a song of this name lies: its own, or the one that it shares with others. */
export const fileOfName = (name: string): string => PART.exec(name)?.[1] ?? name;

/** True for the name of a song that shares its file with others. */
export const isPartName = (name: string): boolean => PART.test(name);
