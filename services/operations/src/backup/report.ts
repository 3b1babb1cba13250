/** Tells a person, or with `--json` a program, what is done. */
export interface Report {
  /** A part that is done, with what came of it. */
  readonly done: (part: string, outcome: string) => void;
  /** Something that the operator should know. */
  readonly note: (sentence: string) => void;
  /** Where a part is; shown on terminals alone, and gone with the next line. */
  readonly moving: (text: string) => void;
  /** The last word: sentences for a person, or one JSON object. */
  readonly end: (sentences: readonly string[], facts: Readonly<Record<string, unknown>>) => void;
}
