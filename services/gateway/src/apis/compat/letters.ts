/** Members of a list whose names start with one letter; `M` is the type of their container. */
export interface LetterGroup<T, M = readonly T[]> {
  readonly letter: string;
  readonly members: M;
}

/** Group of names that do not start with a Latin letter. */
const OTHER = '#';

/** Index letter of a folded sort name. */
export const letterOf = (sortName: string): string => {
  const first = sortName.charAt(0).toUpperCase();
  return first >= 'A' && first <= 'Z' ? first : OTHER;
};

/** Groups a list by the first letter of its folded sort names, A to Z and then the rest; members keep their order. */
export const groupByLetter = <T>(members: readonly T[], sortNameOf: (member: T) => string): LetterGroup<T>[] => {
  const groups = new Map<string, T[]>();
  for (const member of members) {
    const letter = letterOf(sortNameOf(member));
    const group = groups.get(letter);
    if (group) group.push(member);
    else groups.set(letter, [member]);
  }
  const rank = (letter: string): string => (letter === OTHER ? '\uffff' : letter);
  return [...groups]
    .map(([letter, grouped]) => ({ letter, members: grouped }))
    .toSorted((a, b) => (rank(a.letter) < rank(b.letter) ? -1 : 1));
};
