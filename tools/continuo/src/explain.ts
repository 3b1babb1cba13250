import { Rejection } from '@continuo/contracts';
import { OperatorError } from '@continuo/operations';
import { ServerRefusal } from './connect/api.js';

/** Faults of the database connection by their code, in words. */
const databaseFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the database does not answer',
  ENOTFOUND: 'the host of the database is unknown',
  ETIMEDOUT: 'the database does not answer',
  '28P01': 'the database refuses the login',
  '28000': 'the database refuses the login',
  '3D000': 'the database does not exist',
  '42P01': 'the database has no tables of Continuo yet; have all services started?',
  '3F000': 'the database has no tables of Continuo yet; have all services started?',
};

const codeOf = (error: unknown): string | undefined => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
};

/** Remedies for faults of files and folders, which Node's own message names. */
const fileRemedies: Readonly<Record<string, string>> = {
  EACCES: `let user id ${process.getuid?.()} do that, or name another place`,
  EROFS: 'name a place that can be written',
  ENOSPC: 'make room, or name another place',
};

/** An error as lines for the person at the terminal: what happened, then the remedy. Unexpected errors show their stack. */
export const explainError = (error: unknown): string[] => {
  if (error instanceof OperatorError)
    return [`Error: ${error.message}.`, ...(error.remedy === undefined ? [] : [`Remedy: ${error.remedy}.`])];
  if (error instanceof Rejection)
    return [`Refused: ${error.message}${error.subject === undefined ? '' : ` (${error.subject})`} [${error.code}].`];
  if (error instanceof ServerRefusal) return [`Refused: ${error.message} [${error.code}].`];
  const database = databaseFaults[codeOf(error) ?? ''];
  if (database !== undefined) return [`Error: ${database}.`, 'Remedy: "continuo doctor" tells more.'];
  if (error instanceof Error && 'syscall' in error && 'path' in error) {
    const remedy = fileRemedies[codeOf(error) ?? ''];
    return [`Error: ${error.message}.`, ...(remedy === undefined ? [] : [`Remedy: ${remedy}.`])];
  }
  return [`Unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
};
