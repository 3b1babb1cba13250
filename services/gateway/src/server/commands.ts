import { randomUUID } from 'node:crypto';
import type { CommandClient, ProjectionWatch } from '@continuo/chassis';
import { Rejection, type CommandDefinition } from '@continuo/contracts';
import type { z } from 'zod';
import type { GatewayConfig } from './config.js';
import { messageContext, type CallerContext, type RequestContext } from './requests/request-context.js';

/** Longest wait until a created object is in the read model; usually milliseconds. */
const MADE_SHOWN_WITHIN_MS = 10_000;

interface Sender {
  readonly commands: CommandClient;
  readonly watch: ProjectionWatch;
  readonly config: Pick<GatewayConfig, 'READ_YOUR_WRITES_TIMEOUT_MS'>;
}
type Sent = CallerContext | RequestContext;

/** Command and its timeout. */
interface Order<S extends z.ZodType, R extends z.ZodType> {
  readonly command: CommandDefinition<S, R>;
  /** The whole time for it where it may take longer than others. */
  readonly timeoutMs?: number;
}

/**
 * Sends a command for a caller, authenticated or not, and waits, bounded, until the read model shows what it did, so that the caller's next read sees its own write.
 * @throws Rejection with the answering service's code, or `unavailable`
 */
export const runCommand = async <S extends z.ZodType, R extends z.ZodType>(
  services: Sender,
  context: Sent,
  command: CommandDefinition<S, R>,
  data: z.input<S>,
): Promise<z.output<R>> => runLongCommand(services, context, { command }, data);

/** As {@link runCommand}, with a longer timeout. */
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
 * As {@link runLongCommand}, but waits until the read model has the created object, which the answer shows.
 * @throws Rejection as {@link runCommand}; `unavailable` when it is made and not shown in time
 */
export const runAndAwaitReadModel = async <S extends z.ZodType, R extends z.ZodType>(
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
  const { nextCommandId = randomUUID, preconditionOf }: Partial<CallerContext> = context;
  const commandId = nextCommandId();
  const how = { ...options, commandId, ...(preconditionOf ? { precondition: preconditionOf(commandId) } : {}) };
  const { result, positions } = await services.commands.send(command, data, messageContext(context), how);
  return { result, isShown: positions.length === 0 || (await services.watch.waitFor(positions, withinMs)) };
};
