import { safeFileName } from '@continuo/chassis';
import type { SongDocument } from '@continuo/contracts';

/** Naming of the files of an archive: those of an album by disk and track, of an artist by album too, of a list by their place in it. */
export type ArchiveOrder = 'album' | 'artist' | 'list';

const numbered = (value: number, digits: number): string => String(value).padStart(digits, '0');

const trackOf = ({ disk, track }: SongDocument, hasDisks: boolean): string => {
  const number = track > 0 ? numbered(track, 2) : '';
  return hasDisks && disk > 0 ? `${disk}-${number}` : number;
};

const stem = (
  doc: SongDocument,
  position: number,
  order: ArchiveOrder,
  how: { readonly hasDisks: boolean; readonly digits: number },
): string => {
  const artist = doc.artists[0]?.name ?? '';
  const credited = artist === '' ? doc.title : `${artist} - ${doc.title}`;
  if (order === 'list') return safeFileName(`${numbered(position, how.digits)} ${credited}`);
  const titled = safeFileName(`${trackOf(doc, how.hasDisks)} ${doc.title}`);
  return order === 'album' ? titled : `${safeFileName(doc.album.name)}/${titled}`;
};

/** A path in the archive for each song, no two of them the same even where case does not count. */
export const archiveNames = (songs: readonly SongDocument[], order: ArchiveOrder): string[] => {
  const used = new Set<string>();
  const how = { hasDisks: songs.some(({ disk }) => disk > 1), digits: Math.max(2, String(songs.length).length) };
  return songs.map((doc, index) => {
    const wanted = stem(doc, index + 1, order, how);
    for (let turn = 1; ; turn += 1) {
      const name = `${wanted}${turn === 1 ? '' : ` (${turn})`}.${safeFileName(doc.format)}`;
      if (used.has(name.toLowerCase())) continue;
      used.add(name.toLowerCase());
      return name;
    }
  });
};
