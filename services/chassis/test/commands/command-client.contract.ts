import { defineCommand, Rejection, type CommandDefinition, type CommandMessage, type MessageContext } from '@continuo/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CommandClient } from '../../src/commands-client.js';
import type { CommandHandler } from '../../src/transport/command-endpoint.js';

/** A command of the suite's own. */
export const greet = defineCommand(
  'library',
  'greet',
  z.object({ name: z.string().min(1), times: z.int().default(1), tags: z.array(z.object({ key: z.string() })).default([]) }),
  z.object({ greeting: z.string(), polite: z.boolean().default(true) }),
);

export const context: MessageContext = { actor: 'user:7', correlationId: 'corr-1', causationId: 'cause-1' };

/** A client, and a way to answer a command that it sends. */
export interface ClientUnderTest {
  readonly client: CommandClient;
  answer(definition: CommandDefinition, handler: CommandHandler): Promise<void>;
  stop(): Promise<void>;
}

/** Contract test of every {@link CommandClient}. */
export const commandClientContract = (name: string, start: () => Promise<ClientUnderTest>): void => {
  describe(`${name} as a command client`, () => {
    let under: ClientUnderTest;
    const answering = async (handler: CommandHandler): Promise<CommandClient> => {
      under = await start();
      await under.answer(greet, handler);
      return under.client;
    };
    afterEach(() => under.stop());

    it('returns the parsed result and the positions', async () => {
      const client = await answering(() =>
        Promise.resolve({ result: { greeting: 'hello' }, positions: [{ stream: 'EV_LIBRARY', position: 9 }] }),
      );
      const outcome = await client.send(greet, { name: 'ada' }, context);
      expect(outcome).toEqual({ result: { greeting: 'hello', polite: true }, positions: [{ stream: 'EV_LIBRARY', position: 9 }] });
    });

    it('hands the handler parsed data, the envelope and the command id', async () => {
      const seen: CommandMessage[] = [];
      const client = await answering((message) => {
        seen.push(message);
        return Promise.resolve({ result: { greeting: 'hello' }, positions: [] });
      });
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      await client.send(greet, { name: 'ada' }, { ...context, traceparent }, { commandId: 'cmd-1' });
      expect(seen).toEqual([{ ...context, traceparent, id: 'cmd-1', at: expect.any(Number), data: { name: 'ada', times: 1, tags: [] } }]);
    });

    it('makes an id of its own when none is given', async () => {
      const ids: string[] = [];
      const client = await answering(({ id }) => {
        ids.push(id);
        return Promise.resolve({ result: { greeting: 'hello' }, positions: [] });
      });
      await client.send(greet, { name: 'ada' }, context);
      await client.send(greet, { name: 'ada' }, context);
      expect(new Set(ids).size).toBe(2);
    });

    it('throws the rejection of the handler', async () => {
      const client = await answering(() => Promise.reject(new Rejection('catalog.path-taken', 'taken by 3', 'path')));
      await expect(client.send(greet, { name: 'ada' }, context)).rejects.toMatchObject({
        name: 'Rejection',
        code: 'catalog.path-taken',
        message: 'taken by 3',
        subject: 'path',
      });
    });

    it('hides an unexpected failure behind "internal"', async () => {
      const client = await answering(() => Promise.reject(new Error('secret detail')));
      const failure = await client.send(greet, { name: 'ada' }, context).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'Rejection', code: 'internal' });
      expect((failure as Error).message).not.toContain('secret detail');
    });

    it('names the field of unusable input', async () => {
      const client = await answering(() => Promise.resolve({ result: { greeting: 'hello' }, positions: [] }));
      await expect(client.send(greet, { name: 'ada', tags: [{ key: 5 as unknown as string }] }, context)).rejects.toMatchObject({
        code: 'input.invalid',
        subject: 'tags.0.key',
      });
    });

    it('answers "unavailable" when nobody handles the command', async () => {
      under = await start();
      await expect(under.client.send(greet, { name: 'ada' }, context, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'unavailable' });
    });
  });
};
