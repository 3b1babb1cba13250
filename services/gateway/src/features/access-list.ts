import { addAccessRule, Rejection, type AccessLevel } from '@continuo/contracts';
import type { HasReadModel } from '../reads/database/database.js';
import { userByIdOrName } from '../reads/people/users.reads.js';
import { accessRules, type AccessRuleView } from '../reads/visibility/access-rules.reads.js';
import { runCommand } from '../server/commands.js';
import type { HasCommands, HasConfig } from '../server/needs.js';
import type { CallerContext } from '../server/requests/request-context.js';

/** A row to add to the access list. */
export interface WantedRule {
  readonly type: AccessRuleView['type'];
  readonly start: string;
  /** The start when absent. */
  readonly end?: string | undefined;
  readonly level: AccessLevel;
  /** Number or name of an account; null: everybody. */
  readonly user: string | null;
  /** Type and start when absent. */
  readonly name?: string | undefined;
  readonly enabled: boolean;
}

const MAX_NAME = 255;

/** The ends of a range are called otherwise in the APIs than in the command. */
const namedAsSent = (error: unknown): unknown =>
  error instanceof Rejection && (error.subject === 'startAddress' || error.subject === 'endAddress')
    ? new Rejection(error.code, error.message, error.subject.replace('Address', ''), { cause: error })
    : error;

/** A row of the access list; undefined when there is none. */
export const accessRuleById = async ({ db }: HasReadModel, id: number): Promise<AccessRuleView | undefined> =>
  (await accessRules(db)).find((one) => one.id === id);

/**
 * Adds a row to the access list; returns its number.
 * @throws Rejection `user.not-found`; `input.invalid` of `start` or `end`
 */
export const addRule = async (
  services: HasReadModel & HasCommands & HasConfig,
  context: CallerContext,
  { type, start, end = start, level, user, name = `${type} ${start}`, enabled }: WantedRule,
): Promise<number> => {
  const account = user === null ? null : await userByIdOrName(services.db, user);
  if (account === undefined) throw new Rejection('user.not-found', undefined, 'user');
  const rule = { type, startAddress: start, endAddress: end, level, userId: account?.id ?? null, name: name.slice(0, MAX_NAME), enabled };
  const { ruleId } = await runCommand(services, context, addAccessRule, rule).catch((error: unknown) => {
    throw namedAsSent(error);
  });
  return ruleId;
};
