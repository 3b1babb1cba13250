import type { NatsConnection } from '@nats-io/transport-node';

/** How long one pull request stays open at the server, ms, and how often the server shows that it still knows of it; silent for twice as long, another one is made. */
const IN_A_CLUSTER = { expires: 60_000, idle_heartbeat: 15_000 } as const;
/** A server without others forgets requests only together with the connection. */
const OF_A_LONE_SERVER = { expires: 600_000, idle_heartbeat: 300_000 } as const;

/** Terms of a pull request to the server of a connection. */
export const pullTerms = (nats: NatsConnection) => (nats.info?.cluster === undefined ? OF_A_LONE_SERVER : IN_A_CLUSTER);
