import type { ProjectionWatch } from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { createPlaylist } from '@continuo/contracts';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { runAndAwaitReadModel, runCommand } from './commands.js';
import type { RequestContext } from './requests/request-context.js';
import type { GatewayConfig } from './config.js';
import type { HasCommands, HasConfig } from './needs.js';

const context = { correlationId: 'spec', log: pino({ level: 'silent' }) } as RequestContext;
const playlist = { ownerId: 2, name: 'Morning', isPublic: false, members: [] };

/** Services whose read model shows what was written after so many milliseconds. */
const showingAfter = (ms: number): HasCommands & HasConfig => {
  const commands = new InMemoryCommandClient();
  commands.handle(createPlaylist, () => Promise.resolve({ result: { playlistId: 7 }, positions: [{ stream: 'EV_SOCIAL', position: 1 }] }));
  const watch: ProjectionWatch = { waitFor: (_positions, withinMs = 0) => Promise.resolve(withinMs >= ms) };
  return { commands, watch, config: { READ_YOUR_WRITES_TIMEOUT_MS: 1000 } as GatewayConfig };
};

describe('a command of a caller', () => {
  it('is answered though the read model is late', async () => {
    expect(await runCommand(showingAfter(5000), context, createPlaylist, playlist)).toEqual({ playlistId: 7 });
  });

  it('waits longer where the answer shows what was made', async () => {
    expect(await runAndAwaitReadModel(showingAfter(5000), context, { command: createPlaylist }, playlist)).toEqual({ playlistId: 7 });
  });

  it('is never followed by "not found" of what it made', async () => {
    const making = runAndAwaitReadModel(showingAfter(60_000), context, { command: createPlaylist }, playlist);
    await expect(making).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('look again') as string });
  });
});
