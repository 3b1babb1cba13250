import type { WrittenTags } from '@continuo/contracts';
import { TagLib } from 'taglib-wasm';

/** Puts tags into a file's bytes; its sound and all other tags stay as they are. */
export interface TagLibWriter {
  /** @throws Error for a format that cannot be written */
  write(bytes: Uint8Array, tags: WrittenTags): Promise<Uint8Array>;
}

/** A number of 0 is taken away, like an empty text. */
const texts = (value: string | number | readonly string[]): string[] => {
  if (typeof value === 'number') return value === 0 ? [] : [String(value)];
  return (typeof value === 'string' ? [value] : [...value]).filter((text) => text !== '');
};

/** TagLib's names of the tags. */
const names: Readonly<Record<keyof WrittenTags, string>> = {
  title: 'title',
  artists: 'artist',
  albumArtists: 'albumArtist',
  album: 'album',
  genres: 'genre',
  moods: 'mood',
  composers: 'composer',
  date: 'date',
  track: 'trackNumber',
  disk: 'discNumber',
  bpm: 'bpm',
  comment: 'comment',
  isrcs: 'isrc',
};

/** A place among a total keeps the total. */
const withTotal = (name: string, values: readonly string[], before: readonly string[] | undefined): string[] => {
  const [, total] = before?.[0]?.split('/') ?? [];
  const isPlace = name === 'trackNumber' || name === 'discNumber';
  return isPlace && total !== undefined && values[0] !== undefined ? [`${values[0]}/${total}`] : [...values];
};

const inOne = (values: readonly string[]): string => values.join('; ');

/** TagLib, compiled to WebAssembly; it is loaded when something is written for the first time. */
export const taglibWriter = (): TagLibWriter => {
  let loaded: Promise<TagLib> | undefined;
  return {
    write: async (bytes, tags) => {
      loaded ??= TagLib.initialize();
      const file = await (await loaded).open(bytes);
      try {
        if (!file.isValid()) throw new Error('the format of the file cannot be written');
        const before = file.properties();
        const isAsf = file.getFormat() === 'ASF';
        const properties: Record<string, string[]> = {};
        // Windows Media has no order among several values; what is written as one is split again by whoever reads it.
        if (isAsf) for (const [name, values] of Object.entries(before)) if (values && values.length > 1) properties[name] = [inOne(values)];
        for (const [tag, value] of Object.entries(tags)) {
          if (value === undefined) continue;
          const name = names[tag as keyof WrittenTags];
          const given = withTotal(name, texts(value), before[name]);
          // Unnamed tags stay; an empty list removes a tag.
          properties[name] = isAsf && given.length > 1 ? [inOne(given)] : given;
        }
        file.setProperties(properties);
        if (!file.save()) throw new Error('the tags cannot be written');
        return file.getFileBuffer();
      } finally {
        file.dispose();
      }
    },
  };
};
