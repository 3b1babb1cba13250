import { userId, type UserId } from '@continuo/contracts';
import type { HasReadModel } from '../../reads/database/database.js';
import { managedAccountById } from '../../reads/people/managed-accounts.reads.js';
import { badField } from './problems.js';

/** The account that a field of a body names. @throws ManageProblem `input.invalid` when there is none */
export const requireAccount = async ({ db }: HasReadModel, wanted: number, pointer: string): Promise<UserId> => {
  if (!(await managedAccountById(db, wanted))) throw badField(pointer, 'there is no such account');
  return userId.parse(wanted);
};
