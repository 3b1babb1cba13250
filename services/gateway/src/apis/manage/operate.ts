import { Rejection } from '@continuo/contracts';
import type { OperatorErrorKind } from '@continuo/operations';
import type { HasOperations, OperatorTools } from '../../features/operations/operations.js';
import { ManageProblem, type ProblemCode } from './problems.js';

const codes: Readonly<Record<OperatorErrorKind, ProblemCode>> = {
  'not-found': 'path.not-found',
  conflict: 'conflict',
  unavailable: 'unavailable',
  invalid: 'input.invalid',
};

/**
 * Does an operator's work with the library that the command line uses.
 * @throws ManageProblem or Rejection in place of what that library tells people at terminals
 */
export const operate = async <T>({ operations }: HasOperations, work: (tools: OperatorTools) => Promise<T>): Promise<T> => {
  const tools = await operations.open();
  try {
    return await work(tools);
  } catch (error) {
    if (!(error instanceof tools.library.OperatorError)) throw error;
    const code = codes[error.kind];
    if (code === 'unavailable') throw new Rejection('unavailable', error.message, undefined, { cause: error });
    throw new ManageProblem(code, error.message);
  }
};

/** @throws ManageProblem `path.not-found` for what is not there */
export const required = <T>(found: T | undefined, what: string): T => {
  if (found === undefined) throw new ManageProblem('path.not-found', `There is no ${what}`);
  return found;
};
