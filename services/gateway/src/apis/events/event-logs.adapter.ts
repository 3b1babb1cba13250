import { eventBatches, sha256Hex, streamState } from '@continuo/chassis';
import { eventStreams } from '@continuo/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type NotifiedContext, notifiedContexts } from '@continuo/public-events';
import type { EventLogs } from './event-logs.js';
import { positionsBy } from './log-positions.js';

const MARK_LENGTH = 8;

/** Event logs on JetStream, read by ordered consumers without durable state. */
export const jetStreamEventLogs = (nats: NatsConnection): EventLogs => ({
  ends: async () => {
    const manager = await jetstreamManager(nats, { checkAPI: false });
    const states = await Promise.all(
      notifiedContexts.map(async (context) => [context, await streamState(manager, eventStreams[context])] as const),
    );
    const byContext = new Map(states);
    const incarnation = sha256Hex(states.map(([, { epoch }]) => epoch).join(' ')).slice(0, MARK_LENGTH);
    return { incarnation, positions: positionsBy((context: NotifiedContext) => byContext.get(context)?.lastPosition ?? 0) };
  },
  follow: async function* follow(context, after, signal) {
    // Events of a newer release are sent by its own gateways; this one skips them.
    for await (const { events } of eventBatches(nats, eventStreams[context], after, { signal, newer: 'leave-out' })) yield events;
  },
});
