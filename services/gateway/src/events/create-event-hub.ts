import { audienceResolver, publicEventIds, type EventStore } from '@continuo/chassis';
import { userId } from '@continuo/contracts';
import type { GatewayServices } from '../services.js';
import { EventHub } from './event-hub.js';
import type { EventLogs } from './event-logs.js';
import { EventIds } from './log-positions.js';

/** Puts a hub together over the logs and what the gateway knows of accounts and preferences. */
export const createEventHub = (
  {
    auth,
    preferences,
    db,
    log,
    config,
    secrets,
    metrics,
  }: Pick<GatewayServices, 'auth' | 'preferences' | 'db' | 'log' | 'config' | 'secrets' | 'metrics'>,
  { logs, eventStore }: { readonly logs: EventLogs; readonly eventStore: Pick<EventStore, 'read'> },
): EventHub =>
  new EventHub({
    logs,
    log,
    metrics,
    ids: new EventIds(secrets),
    judge: {
      name: publicEventIds(secrets),
      resolve: audienceResolver({ db, eventStore }),
      account: (id) => auth.account(userId.parse(id)),
      shows: (id, unless) => preferences.isOn(id, unless),
    },
    limits: {
      streams: config.EVENT_STREAMS,
      streamsPerUser: config.EVENT_STREAMS_PER_USER,
      heartbeatMs: config.EVENT_STREAM_HEARTBEAT_MS,
      resumeEvents: config.EVENT_STREAM_RESUME_EVENTS,
    },
  });
