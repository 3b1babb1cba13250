import { randomUUID } from 'node:crypto';
import { Rejection, type CommandDefinition, type CommandMessage, type MessageContext } from '@continuo/contracts';
import type { z } from 'zod';
import type { CommandClient, CommandOutcome, SendOptions } from '../../src/commands-client.js';
import type { CommandHandlerMethod, Handled } from '../../src/transport/handlers.js';
import { decodeMessage, encodeMessage, traceHeaders } from '../../src/transport/message.js';

/** Commands answered within the process, for specs. Messages go through the same encoding as on the wire. */
export class InMemoryCommandClient implements CommandClient {
  readonly #handlers = new Map<string, (message: CommandMessage) => Promise<Handled<unknown>>>();
  /** Everything that was sent, in order. */
  readonly sent: { readonly subject: string; readonly message: CommandMessage }[] = [];

  /** Answers a command with a function from now on. */
  handle<D extends CommandDefinition>(definition: D, handler: CommandHandlerMethod<D>): this {
    this.#handlers.set(definition.subject, handler as unknown as (message: CommandMessage) => Promise<Handled<unknown>>);
    return this;
  }

  async send<S extends z.ZodType, R extends z.ZodType>(
    command: CommandDefinition<S, R>,
    data: z.input<S>,
    context: MessageContext,
    { commandId: id = randomUUID(), precondition }: SendOptions = {},
  ): Promise<CommandOutcome<z.output<R>>> {
    const handler = this.#handlers.get(command.subject);
    if (!handler) throw new Rejection('unavailable', `no service answers ${command.subject}`);
    const sent = { ...context, id, at: Date.now(), data, ...(precondition ? { precondition } : {}) };
    const payload = new TextEncoder().encode(encodeMessage(sent));
    const message = decodeMessage(payload, traceHeaders(context.traceparent), command.schema);
    this.sent.push({ subject: command.subject, message });
    const { result, positions } = await answered(handler, message);
    return { result: command.result.parse(JSON.parse(JSON.stringify(result))), positions };
  }
}

const answered = async (
  handler: (message: CommandMessage) => Promise<Handled<unknown>>,
  message: CommandMessage,
): Promise<Handled<unknown>> => {
  try {
    return await handler(message);
  } catch (error) {
    if (error instanceof Rejection) throw error;
    throw new Rejection('internal', undefined, undefined, { cause: error });
  }
};
