import type { IAudioMetadata } from 'music-metadata';
import { handledTags } from './handled-tags.js';
import type { TagBag } from './tag-bag.js';
import { cleanText } from './text.js';

const MAX_TAGS = 64;
const MAX_TAG_CHARS = 1000;
const MAX_TOTAL_CHARS = 16_000;

/** Fields of the parser's common view that a track has no field for. */
const UNMAPPED = [
  'grouping',
  'key',
  'media',
  'copyright',
  'script',
  'releasecountry',
  'asin',
  'website',
  'work',
  'movement',
  'subtitle',
  'notes',
  'originalalbum',
  'originalartist',
  'acoustid_id',
  'musicbrainz_workid',
  'musicbrainz_discid',
] as const satisfies readonly (keyof IAudioMetadata['common'])[];

/** Where comments have a number under the name, and the name under another. */
const OTHER_NAMES: Readonly<Record<string, string>> = { movement: 'movementname' };

const joined = (values: readonly unknown[]): string | undefined =>
  cleanText(
    values
      .map((value) => cleanText(value) ?? '')
      .filter((text) => text !== '')
      .join('; '),
    MAX_TAG_CHARS,
  );

/** Custom tags and known tags without a field, by lower-case name; bounded in number and size. */
export const extraTagsFrom = (common: IAudioMetadata['common'], bag: TagBag): Record<string, string> => {
  const extras = new Map<string, string>();
  let budget = MAX_TOTAL_CHARS;
  const add = (name: string | undefined, value: string | undefined): void => {
    if (!name || !value || extras.has(name) || extras.size >= MAX_TAGS || name.length + value.length > budget) return;
    budget -= name.length + value.length;
    extras.set(name, value);
  };
  for (const name of UNMAPPED) add(name, joined([common[name] ?? bag.all(OTHER_NAMES[name] ?? name)].flat()));
  for (const name of [...bag.customNames].toSorted()) if (!handledTags.has(name)) add(cleanText(name, 100), joined(bag.all(name)));
  return Object.fromEntries(extras);
};
