import type { ScannedTrack } from '@continuo/contracts';
import { mbidsOf } from './credits.js';
import type { TagBag } from './tag-bag.js';
import { cleanList, cleanText } from './text.js';

/** Most works, movements and groupings kept of one track. */
const MAX_PARTS = 10;
/** Largest number of a movement that is believed. */
const MAX_MOVEMENTS = 999;

/** Works, movements and groupings of a track; absent when the file has none. */
export type WorkFields = Pick<ScannedTrack, 'works' | 'movements' | 'groupings'>;

/** Works, movements and groupings of a file. */
export const worksFrom = (bag: TagBag): WorkFields => {
  const works = worksOf(bag);
  const movements = movementsOf(bag);
  const groupings = groupingsOf(bag);
  return {
    ...(works.length > 0 ? { works } : {}),
    ...(movements.length > 0 ? { movements } : {}),
    ...(groupings.length > 0 ? { groupings } : {}),
  };
};

/** iTunes writes the work into what ID3 means for groupings (`TIT1`), and groupings into a frame of its own (`GRP1`). */
const isWorkInTit1 = (bag: TagBag): boolean => bag.all('grp1').length > 0;

// oxlint-disable-next-line no-control-regex
const atNulls = (value: unknown): unknown[] => (typeof value === 'string' ? value.split(/\u0000/) : [value]);

const worksOf = (bag: TagBag): NonNullable<ScannedTrack['works']> => {
  const tagged = bag.all('work', '©wrk');
  const names = cleanList((tagged.length > 0 || !isWorkInTit1(bag) ? tagged : bag.all('tit1')).flatMap(atNulls), MAX_PARTS);
  const mbids = mbidsOf(bag.all('musicbrainz_workid', 'musicbrainz work id', 'musicbrainz/work id'));
  // Ids belong to names by place, which is known only when there are as many.
  return names.map((name, index) => ({ name, ...(mbids.length === names.length ? { mbid: mbids[index] } : {}) }));
};

/** The numbers of `2/4`, `2` and `/4`, where they are believable. */
const placesOf = (value: unknown): { number?: number; count?: number } => {
  const [, number = '', count = ''] = /^\s*(\d*)\s*(?:\/\s*(\d*))?\s*$/.exec(cleanText(value) ?? '') ?? [];
  const believed = (digits: string): number | undefined => {
    const parsed = digits === '' ? 0 : Number(digits);
    return parsed >= 1 && parsed <= MAX_MOVEMENTS ? parsed : undefined;
  };
  const [no, of] = [believed(number), believed(count)];
  return { ...(no === undefined ? {} : { number: no }), ...(of === undefined ? {} : { count: of }) };
};

const isPlace = (value: unknown): boolean => /^\s*\d+\s*(?:\/\s*\d+)?\s*$/.test(cleanText(value) ?? '');

/** Vorbis comments and APE have the number in `MOVEMENT` and the name in `MOVEMENTNAME`; some taggers write the name into `MOVEMENT`. */
const movementsOf = (bag: TagBag): NonNullable<ScannedTrack['movements']> => {
  const either = bag.all('movement').filter((value) => cleanText(value) !== undefined);
  const named = bag.all('mvnm', '©mvn', 'movementname');
  const names = cleanList(named.length > 0 ? named : either.filter((value) => !isPlace(value)), MAX_PARTS);
  const tagged = bag.all('mvin', '©mvi', 'movementnumber');
  const numbers = tagged.length > 0 ? tagged : either.filter(isPlace);
  const [total] = bag.all('©mvc', 'movementtotal', 'movementcount');
  const { number: count } = placesOf(total);
  return names.map((name, index) => ({
    name,
    ...(count === undefined ? {} : { count }),
    ...(numbers.length === names.length ? placesOf(numbers[index]) : {}),
  }));
};

const groupingsOf = (bag: TagBag): string[] => {
  const tagged = bag.all('grp1', 'gp1', 'grouping', '©grp', 'contentgroupdescription', 'contentgroup');
  const values = tagged.length > 0 || isWorkInTit1(bag) ? tagged : bag.all('tit1', 'tt1');
  return cleanList(
    // The parser leaves the separators of ID3v2.4 in these frames.
    cleanList(values.flatMap(atNulls), MAX_PARTS).flatMap((value) => value.split(/\s*;\s*/)),
    MAX_PARTS,
  );
};

/** iTunes' advisory (`rtng` of an MP4, `ITUNESADVISORY` elsewhere): 1, formerly 4, is explicit, 2 is clean, 0 is neither. */
export const explicitFrom = (bag: TagBag): ScannedTrack['explicit'] => {
  const advisory = bag.text('itunesadvisory', 'rtng');
  if (advisory === '1' || advisory === '4') return 'explicit';
  return advisory === '2' ? 'clean' : undefined;
};
