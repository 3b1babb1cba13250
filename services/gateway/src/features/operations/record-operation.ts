import { recordOperation } from '@continuo/contracts';
import type { HasCommands } from '../../server/needs.js';
import { messageContext, type CallerContext } from '../../server/requests/request-context.js';

/**
 * Puts on record that an operator does what leaves no other event, before it is done. No read model is waited for: this works while tables are rebuilt.
 * @param operation name of the operation
 * @param target id of what it is done to; absent where it is done to nothing in particular
 * @throws Rejection `unavailable` when it cannot be put on record, and must not be done
 */
export const recordPerformed = async (
  { commands }: HasCommands,
  context: CallerContext,
  operation: string,
  target?: string | number,
): Promise<void> => {
  const commandId = context.nextCommandId?.();
  const data = { type: 'perform', operation, target: target === undefined ? null : String(target) } as const;
  await commands.send(recordOperation, data, messageContext(context), commandId === undefined ? {} : { commandId });
};
