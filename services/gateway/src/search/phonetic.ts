/** Groups of consonants that sound alike (Soundex); all other characters are silent. */
const GROUPS = ['bfpv', 'cgjkqsxz', 'dt', 'l', 'mn', 'r'] as const;
const SOUNDED = GROUPS.join('');

const groupOf = (letter: string): number => GROUPS.findIndex((group) => group.includes(letter));

/** Sounds after the first letter that a code keeps: longer texts are told apart by these. */
const MAX_SOUNDS = 40;

/** Phonetic code of a text: its first letter and the groups that follow, neighbours of one group counted once. */
export interface Sound {
  readonly first: string;
  readonly groups: readonly number[];
}

/** The sound of a folded text; undefined when it has no Latin letter. */
export const soundOf = (folded: string): Sound | undefined => {
  const letters = folded.toLowerCase().replace(/[^a-z]/g, '');
  const [first] = letters;
  if (first === undefined) return undefined;
  const groups: number[] = [];
  let last = groupOf(first);
  for (const letter of letters.slice(1)) {
    const group = groupOf(letter);
    if (group < 0 || group === last) continue;
    groups.push(group);
    last = group;
  }
  return { first, groups };
};

/** True when two texts sound alike. */
export const soundsAlike = (one: Sound, other: Sound): boolean =>
  one.first === other.first && one.groups.slice(0, MAX_SOUNDS).join() === other.groups.slice(0, MAX_SOUNDS).join();

// Everything but the consonants of other groups: what may follow without making a sound of its own.
const silentAfter = (group: number): string => {
  const others = SOUNDED.split('')
    .filter((letter) => groupOf(letter) !== group)
    .join('');
  return `[^${others}]*`;
};

/**
 * The regular expression of all folded texts that sound like this: the sounds of a text are a regular language, so the database needs no
 * phonetic function, which not every Postgres has, and answers as {@link soundsAlike} does.
 */
export const soundPattern = ({ first, groups }: Sound): string => {
  const kept = groups.slice(0, MAX_SOUNDS);
  const sounds = kept.map((group) => `[${GROUPS[group]}]${silentAfter(group)}`).join('');
  return `^[^a-z]*${first}${silentAfter(groupOf(first))}${sounds}${kept.length < MAX_SOUNDS ? '$' : ''}`;
};
