import type { CommandDefinition } from '@continuo/contracts';
import type { z } from 'zod';
import { messageContext, type CallerContext, type RequestContext } from './http/request-context.js';
import type { GatewayServices } from './services.js';

/**
 * Sends a command for a caller, or for somebody who is none yet, and waits, bounded, until the read model shows what it did, so that the caller's next read sees its own write.
 * @throws Rejection with the answering service's code, or `unavailable`
 */
export const runCommand = async <S extends z.ZodType, R extends z.ZodType>(
  services: Pick<GatewayServices, 'commands' | 'watch' | 'config'>,
  context: CallerContext | RequestContext,
  command: CommandDefinition<S, R>,
  data: z.input<S>,
): Promise<z.output<R>> => runLongCommand(services, context, { command }, data);

/** The same for a command that may take longer than others: `timeoutMs` is the whole time for it. */
export const runLongCommand = async <S extends z.ZodType, R extends z.ZodType>(
  services: Pick<GatewayServices, 'commands' | 'watch' | 'config'>,
  context: CallerContext | RequestContext,
  { command, ...options }: { readonly command: CommandDefinition<S, R>; readonly timeoutMs?: number },
  data: z.input<S>,
): Promise<z.output<R>> => {
  const { result, positions } = await services.commands.send(command, data, messageContext(context), options);
  const caughtUp = positions.length === 0 || (await services.watch.waitFor(positions, services.config.READ_YOUR_WRITES_TIMEOUT_MS));
  if (!caughtUp) context.log.warn({ command: command.subject, positions }, 'answering before the read model shows the write');
  return result;
};
