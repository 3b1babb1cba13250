import * as contracts from '@continuo/contracts';
import type { Context, JobContext } from '@continuo/contracts';

/** Subjects that one service must answer. */
export interface DeclaredSubjects {
  readonly commands: readonly string[];
  readonly jobs: readonly string[];
}

/** A handler as it was registered; that of events under the subject of its reactor. */
export interface RegisteredSubject {
  readonly kind: 'command' | 'job' | 'event';
  readonly subject: string;
}

const isDefinition = (value: unknown): value is { context: string; subject: string; schema: object } =>
  typeof value === 'object' && value !== null && 'subject' in value && 'context' in value && 'schema' in value;

/** Every command and job that the contracts publish for these contexts. */
export const publishedSubjects = (contexts: readonly Context[], jobContexts: readonly JobContext[] = []): DeclaredSubjects => {
  const definitions = Object.values<unknown>(contracts).filter(isDefinition);
  const subjectsOf = (prefix: string, names: readonly string[]): string[] =>
    definitions.filter(({ subject, context }) => subject.startsWith(prefix) && names.includes(context)).map(({ subject }) => subject);
  return { commands: subjectsOf('cmd.', contexts), jobs: subjectsOf('jobs.', jobContexts) };
};

/**
 * Checks that each declared subject has exactly one handler, that no handler answers for somebody else, and that no two reactors share a name.
 * @throws Error that names every subject at fault.
 */
export const assertExactlyOneHandler = (declared: DeclaredSubjects, registered: readonly RegisteredSubject[]): void => {
  const reactors = registered.filter(({ kind }) => kind === 'event').map(({ subject }) => subject);
  const wanted = new Set([...declared.commands, ...declared.jobs, ...reactors]);
  const subjects = registered.map(({ subject }) => subject);
  const faults = [
    ...[...wanted].filter((subject) => !subjects.includes(subject)).map((subject) => `${subject} has no handler`),
    ...[...new Set(subjects)]
      .filter((subject) => subjects.indexOf(subject) !== subjects.lastIndexOf(subject))
      .map((subject) => `${subject} has more than one handler`),
    ...[...new Set(subjects)]
      .filter((subject) => !wanted.has(subject))
      .map((subject) => `${subject} has a handler but is not declared by this service`),
  ];
  if (faults.length > 0) throw new Error(`The service cannot start: ${faults.join('; ')}.`);
};
