/** A line that stands against a threat, how to take it away, and the spec that must fail then. */
export interface Defence {
  /** Number of the threat in `docs/security.md`. */
  readonly threat: number;
  /** Attack that the line prevents, as a report phrases it. */
  readonly against: string;
  /** The file of the line, from the root of the repository. */
  readonly file: string;
  /** Text that stands in the file once. */
  readonly find: string;
  /** Replacement that removes the defence. */
  readonly replace: string;
  /** The spec that must fail, from the root of the repository. */
  readonly spec: string;
  /** Tests of the spec to run, as a regular expression; all of them when it is absent. */
  readonly only?: string;
}

/** A defence as it is written down in the tables: the folders that all of them share are left out. Each of several specs must fail. */
export type Entry = readonly [
  threat: number,
  against: string,
  file: string,
  find: string,
  replace: string,
  spec: string | readonly string[],
  only?: string,
];

const SERVICES = 'services/';
const rooted = (path: string): string => (path.startsWith('tools/') || path.startsWith('contracts/') ? path : `${SERVICES}${path}`);

/** Defences out of their short form, one for each spec. */
export const defencesOf = (entries: readonly Entry[]): readonly Defence[] =>
  entries.flatMap(([threat, against, file, find, replace, specs, only]) =>
    [specs].flat().map((spec) => ({
      threat,
      against,
      file: rooted(file),
      find,
      replace,
      spec: rooted(spec),
      ...(only === undefined ? {} : { only }),
    })),
  );
