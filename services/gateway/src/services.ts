import type { ArtStore, CommandClient, MediaStore, Metrics, ProjectionWatch, Sealer } from '@continuo/chassis';
import type { Logger } from 'pino';
import type { Auth } from './auth/index.js';
import type { GatewayConfig } from './config.js';
import type { ReadDatabase } from './reads/database.js';
import type { Lists } from './reads/lists.js';

/** What the surfaces work with. Made once by the composition root. */
export interface GatewayServices {
  readonly config: GatewayConfig;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly auth: Auth;
  /** The published read model, read-only. */
  readonly db: ReadDatabase;
  /** Ordered id lists, from which pages are cut. */
  readonly lists: Lists;
  readonly commands: CommandClient;
  readonly watch: ProjectionWatch;
  readonly mediaStore: MediaStore;
  readonly artStore: ArtStore;
  readonly sealer: Sealer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}
