/** A line that stands against a threat, how to take it away, and the spec that must fail then. */
export interface Defence {
  /** Row of the table in `docs/security.md`. */
  readonly threat: number;
  /** What nobody can do as long as the line is there, in the words of a report. */
  readonly against: string;
  /** The file of the line, from the root of the repository. */
  readonly file: string;
  /** Text that stands in the file once. */
  readonly find: string;
  /** What stands there without the defence. */
  readonly replace: string;
  /** The spec that must fail, from the root of the repository. */
  readonly spec: string;
  /** Tests of the spec to run, as a regular expression; all of them when it is absent. */
  readonly only?: string;
}

/** A defence as it is written down in the tables: the folders that all of them share are left out. */
export type Entry = readonly [threat: number, against: string, file: string, find: string, replace: string, spec: string, only?: string];

const SERVICES = 'services/';
const rooted = (path: string): string => (path.startsWith('tools/') || path.startsWith('contracts/') ? path : `${SERVICES}${path}`);

/** Defences out of their short form. */
export const defencesOf = (entries: readonly Entry[]): readonly Defence[] =>
  entries.map(([threat, against, file, find, replace, spec, only]) => ({
    threat,
    against,
    file: rooted(file),
    find,
    replace,
    spec: rooted(spec),
    ...(only === undefined ? {} : { only }),
  }));
