/** A letter or a year, and the index of the first entry of a list that begins with it. */
export interface ListStart {
  readonly name: string;
  readonly index: number;
}

/** In front of names that begin with no letter. */
const OTHER = '#';

/** Joins starts that are no letters, such as digits; years stay as they are, but for the missing one. */
export const joinedStarts = (
  starts: readonly { readonly name: string; readonly position: number }[],
  isByYear: boolean,
): readonly ListStart[] =>
  starts
    .map(({ name, position }) => ({ name: (isByYear ? name !== '0' : /^\p{L}/u.test(name)) ? name : OTHER, index: position }))
    .filter(({ name }, at, all) => name !== all[at - 1]?.name);
