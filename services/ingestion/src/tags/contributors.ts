import type { ScannedTrack } from '@continuo/contracts';
import type { IAudioMetadata } from 'music-metadata';
import type { TagBag } from './tag-bag.js';
import { cleanList, cleanText } from './text.js';

type Contributor = ScannedTrack['contributors'][number];

/** Most credits kept of one track. */
const MAX_CONTRIBUTORS = 100;
const MAX_ROLE_CHARS = 60;

/** Names in a tag of credits, however they are separated. */
export const creditNames = (values: unknown): string[] =>
  cleanList(
    cleanList(values, 50).flatMap((value) => value.split(/\s*;\s*|\s+\/\s+/)),
    50,
  );

const ROLES = ['conductor', 'lyricist', 'writer', 'remixer', 'arranger', 'producer', 'engineer', 'mixer', 'djmixer', 'technician'] as const;

/** Functions in ID3's lists of involved people that the parser's common view has under the roles above. */
const KNOWN_FUNCTIONS = new Set(['arranger', 'engineer', 'producer', 'dj-mix', 'mix']);

/** `Name (instrument)`, as Vorbis comments and APE spell what a performer plays. */
const PLAYER = /^(.+?)\s*\(([^()]+)\)$/;

const player = (text: string): Contributor => {
  const [, name, subRole] = PLAYER.exec(text) ?? [];
  return name && subRole ? { role: 'performer', subRole: subRole.toLowerCase(), name } : { role: 'performer', name: text };
};

const roleOf = (text: string): string | undefined => cleanText(text, MAX_ROLE_CHARS)?.toLowerCase();

/**
 * Who took part beside artists and composers, by role. What a performer plays is the `subRole`; the functions of ID3's list of involved people are roles as they
 * are written, and in version 2.3, where players stand in the same list, performers.
 */
export const contributorsFrom = (common: IAudioMetadata['common'], bag: TagBag): Contributor[] => {
  const byRole = ROLES.flatMap((role) => creditNames(common[role]).map((name) => ({ role, name })));
  const directors = creditNames(bag.all('director', '©dir')).map((name) => ({ role: 'director', name }));
  const performers = creditNames(bag.all('performer')).map(player);
  const players = bag.named(/^(?:tmcl|ipls|performer):(.+)$/).flatMap(([instrument, values]) => playing(instrument, values));
  const involved = bag.named(/^tipl:(.+)$/).flatMap(([text, values]) => {
    const role = KNOWN_FUNCTIONS.has(text) ? undefined : roleOf(text);
    return role === undefined ? [] : creditNames(values).map((name) => ({ role, name }));
  });
  return distinct([...byRole, ...directors, ...performers, ...players, ...involved]).slice(0, MAX_CONTRIBUTORS);
};

const playing = (instrument: string, values: readonly unknown[]): Contributor[] => {
  const subRole = roleOf(instrument);
  if (subRole === undefined || KNOWN_FUNCTIONS.has(subRole)) return [];
  return creditNames(values).map((name) => ({ role: 'performer', subRole, name }));
};

const distinct = (contributors: readonly Contributor[]): Contributor[] => [
  ...new Map(contributors.map((one) => [JSON.stringify([one.role, one.subRole, one.name]), one])).values(),
];
