import { Rejection, type CommandDefinition } from '@continuo/contracts';
import type { z } from 'zod';
import { messageContext, type CallerContext, type RequestContext } from './http/request-context.js';
import type { GatewayServices } from './services.js';

/** What is made is shown within milliseconds; only servers that are at their limit, or being mended, take as long. */
const MADE_SHOWN_WITHIN_MS = 10_000;

type Sender = Pick<GatewayServices, 'commands' | 'watch' | 'config'>;
type Sent = CallerContext | RequestContext;

/** A command, and how long it may take. */
interface Order<S extends z.ZodType, R extends z.ZodType> {
  readonly command: CommandDefinition<S, R>;
  /** The whole time for it where it may take longer than others. */
  readonly timeoutMs?: number;
}

/**
 * Sends a command for a caller, or for somebody who is none yet, and waits, bounded, until the read model shows what it did, so that the caller's next read sees its own write.
 * @throws Rejection with the answering service's code, or `unavailable`
 */
export const runCommand = async <S extends z.ZodType, R extends z.ZodType>(
  services: Sender,
  context: Sent,
  command: CommandDefinition<S, R>,
  data: z.input<S>,
): Promise<z.output<R>> => runLongCommand(services, context, { command }, data);

/** The same for a command that may take longer than others. */
export const runLongCommand = async <S extends z.ZodType, R extends z.ZodType>(
  services: Sender,
  context: Sent,
  order: Order<S, R>,
  data: z.input<S>,
): Promise<z.output<R>> => {
  const { result, isShown } = await runAndWait(services, context, order, { data, withinMs: services.config.READ_YOUR_WRITES_TIMEOUT_MS });
  if (!isShown) context.log.warn({ command: order.command.subject }, 'answering before the read model shows the write');
  return result;
};

/**
 * The same where the answer shows what was made: there is none to give before the read model has it, and "not found" would be untrue.
 * @throws Rejection as {@link runCommand}; `unavailable` when it is made and not shown in time
 */
export const makeShown = async <S extends z.ZodType, R extends z.ZodType>(
  services: Sender,
  context: Sent,
  order: Order<S, R>,
  data: z.input<S>,
): Promise<z.output<R>> => {
  const { result, isShown } = await runAndWait(services, context, order, { data, withinMs: MADE_SHOWN_WITHIN_MS });
  if (!isShown) throw new Rejection('unavailable', 'it is made and will be shown soon: please look again before you repeat it');
  return result;
};

const runAndWait = async <S extends z.ZodType, R extends z.ZodType>(
  services: Sender,
  context: Sent,
  { command, ...options }: Order<S, R>,
  { data, withinMs }: { readonly data: z.input<S>; readonly withinMs: number },
): Promise<{ readonly result: z.output<R>; readonly isShown: boolean }> => {
  const { result, positions } = await services.commands.send(command, data, messageContext(context), options);
  return { result, isShown: positions.length === 0 || (await services.watch.waitFor(positions, withinMs)) };
};
