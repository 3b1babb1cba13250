import type { ScannedTrack } from '@continuo/contracts';
import type { IAudioMetadata } from 'music-metadata';
import type { TagBag } from './tag-bag.js';
import { defaultTagRules, separatorPattern } from './tag-rules.js';
import { cleanList, cleanText } from './text.js';

type Contributor = ScannedTrack['contributors'][number];

/** Most credits kept of one track. */
const MAX_CONTRIBUTORS = 100;
const MAX_ROLE_CHARS = 60;

/** Names in a tag of credits, however they are separated. */
export const creditNames = (values: unknown, separators: readonly string[] = defaultTagRules.artistSeparators): string[] =>
  cleanList(
    cleanList(values, 50).flatMap((value) => value.split(separatorPattern(separators))),
    50,
  );

const ROLES = ['conductor', 'lyricist', 'writer', 'remixer', 'arranger', 'producer', 'engineer', 'mixer', 'djmixer', 'technician'] as const;

/** Functions in ID3's lists of involved people that are called otherwise elsewhere. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['mix', 'mixer'],
  ['dj-mix', 'djmixer'],
]);

/** `Name (instrument)`, as Vorbis comments and APE spell what a performer plays. */
const PLAYER = /^(.+?)\s*\(([^()]+)\)$/;

const player = (text: string): Contributor => {
  const [, name, subRole] = PLAYER.exec(text) ?? [];
  return name && subRole ? { role: 'performer', subRole: subRole.toLowerCase(), name } : { role: 'performer', name: text };
};

/**
 * Contributors beside artists and composers, by role. The instrument of a performer is the `subRole`; the functions of ID3's list of involved people are roles as they
 * are written. In version 2.3 players stand in the same list: whatever is no usual role there is what somebody plays.
 */
export const contributorsFrom = (common: IAudioMetadata['common'], bag: TagBag, separators?: readonly string[]): Contributor[] => {
  // Some formats have a role under its plain name without the parser knowing it there; Windows Media calls lyricists writers.
  const named = (role: (typeof ROLES)[number]): unknown => common[role] ?? (role === 'writer' && common.lyricist ? [] : bag.all(role));
  const byRole = ROLES.flatMap((role) => creditNames(named(role), separators).map((name) => ({ role, name })));
  const directors = creditNames(bag.all('director'), separators).map((name) => ({ role: 'director', name }));
  const performers = creditNames(bag.all('performer', 'lead_performer'), separators).map(player);
  const players = pairsIn(bag, 'tmcl').map(({ what, name }) => ({ role: 'performer', subRole: what, name }));
  const involved = pairsIn(bag, 'tipl').map(({ what, name }) => ({ role: FUNCTIONS.get(what) ?? what, name }));
  const mixed = pairsIn(bag, 'ipls').map(({ what, name }) => {
    const role = FUNCTIONS.get(what) ?? what;
    return USUAL.has(role) ? { role, name } : { role: 'performer', subRole: what, name };
  });
  return distinct([...byRole, ...directors, ...performers, ...players, ...involved, ...mixed]).slice(0, MAX_CONTRIBUTORS);
};

const USUAL: ReadonlySet<string> = new Set([...ROLES, 'director']);

/** ID3's lists of people: the parser gives each as an object of names by what they do. */
const pairsIn = (bag: TagBag, frame: 'tmcl' | 'tipl' | 'ipls'): { what: string; name: string }[] =>
  bag
    .all(frame)
    .flatMap((list) => (list !== null && typeof list === 'object' ? Object.entries(list) : []))
    .flatMap(([text, names]) => {
      const what = cleanText(text, MAX_ROLE_CHARS)?.toLowerCase();
      return what === undefined ? [] : creditNames(names).map((name) => ({ what, name }));
    });

const distinct = (contributors: readonly Contributor[]): Contributor[] => [
  ...new Map(contributors.map((one) => [JSON.stringify([one.role, one.subRole, one.name]), one])).values(),
];
