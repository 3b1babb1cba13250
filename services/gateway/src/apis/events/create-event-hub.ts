import type { EventStore, ProjectionWatch } from '@continuo/chassis';
import { userId } from '@continuo/contracts';
import { audienceResolver, publicEventIds } from '@continuo/public-events';
import { EventHub } from './event-hub.js';
import type { EventLogs } from './event-logs.js';
import { EventIds } from './log-positions.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasAuth } from '../../auth/auth.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasConfig, HasLog, HasMetrics, HasSecrets } from '../../server/needs.js';

/** Creates the hub with the event logs, accounts and preferences. */
export const createEventHub = (
  {
    auth,
    preferences,
    db,
    log,
    config,
    secrets,
    metrics,
    watch,
  }: HasAuth & HasPreferences & HasReadModel & HasLog & HasConfig & HasSecrets & HasMetrics & { readonly watch: ProjectionWatch },
  { logs, eventStore }: { readonly logs: EventLogs; readonly eventStore: Pick<EventStore, 'read'> },
): EventHub =>
  new EventHub({
    logs,
    watch,
    log,
    metrics,
    ids: new EventIds(secrets),
    recipientReads: {
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
