import { eventBatches, sha256Hex, streamState, toldContexts, type ToldContext } from '@continuo/chassis';
import { eventStreams } from '@continuo/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { EventLogs } from './event-logs.js';
import { positionsBy } from './log-positions.js';

const MARK_LENGTH = 8;

/** The logs on JetStream, read by ordered consumers that leave nothing behind. */
export const jetStreamEventLogs = (nats: NatsConnection): EventLogs => ({
  ends: async () => {
    const manager = await jetstreamManager(nats, { checkAPI: false });
    const states = await Promise.all(
      toldContexts.map(async (context) => [context, await streamState(manager, eventStreams[context])] as const),
    );
    const byContext = new Map(states);
    const mark = sha256Hex(states.map(([, { epoch }]) => epoch).join(' ')).slice(0, MARK_LENGTH);
    return { mark, positions: positionsBy((context: ToldContext) => byContext.get(context)?.lastPosition ?? 0) };
  },
  follow: async function* follow(context, after, signal) {
    // What a newer release tells of, its own gateways tell; this one goes on with what it knows.
    for await (const { events } of eventBatches(nats, eventStreams[context], after, { signal, newer: 'leave-out' })) yield events;
  },
});
