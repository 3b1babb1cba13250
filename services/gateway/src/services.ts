import type {
  CatalogPlaces,
  CommandClient,
  MediaStore,
  Metrics,
  ProjectionWatch,
  SearchIndex,
  Sealer,
  ServerSecret,
} from '@continuo/chassis';
import type { Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Auth } from './auth/index.js';
import type { GatewayConfig } from './config.js';
import type { EventHub } from './events/event-hub.js';
import type { PluginDirectory } from './facts/plugin-directory.js';
import type { Places } from './http/places.js';
import type { StationTitles } from './live-stream/station-titles.js';
import type { ArtImages } from './media/art-images.js';
import type { PlayCounter } from './media/play-counter.js';
import type { PlayingBoard } from './playing/index.js';
import type { Preferences } from './preferences/index.js';
import type { ReadDatabase } from './reads/database.js';
import type { Lists } from './reads/lists.js';
import type { Rankings } from './reads/rankings.js';
import type { Searches } from './search/index.js';
import type { Smartlists } from './smartlists/index.js';
import type { SonicSounds } from './sonic/sonic-sounds.js';
import type { Transcodes } from './transcode/transcodes.js';

/** What the surfaces work with. Made once by the composition root. */
export interface GatewayServices {
  readonly config: GatewayConfig;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent while tracing is off. */
  readonly tracer?: Tracer | undefined;
  readonly auth: Auth;
  /** Tells clients what happens. */
  readonly events: EventHub;
  /** The published read model, read-only. */
  readonly db: ReadDatabase;
  /** Ordered id lists, from which pages are cut. */
  readonly lists: Lists;
  /** Orders by what is played, rated and liked. */
  readonly rankings: Rankings;
  /** Searches by rules. */
  readonly searches: Searches;
  /** Searches that people keep, run. */
  readonly smartlists: Smartlists;
  /** Finds things by words. */
  readonly wordSearch: SearchIndex;
  /** Places for lists without a cap, which flow. */
  readonly listPlaces: Places;
  /** Places for archives that are made while they are sent. */
  readonly archivePlaces: Places;
  /** Places for files that are received. */
  readonly uploadPlaces: Places;
  readonly commands: CommandClient;
  readonly watch: ProjectionWatch;
  readonly mediaStore: MediaStore;
  /** Places beside the folders of this machine that can become catalogs. */
  readonly places: Pick<CatalogPlaces, 'open'>;
  /** Media in other forms. */
  readonly transcodes: Transcodes;
  /** What songs sound like. */
  readonly sonic: SonicSounds;
  /** What plug-ins can be asked. */
  readonly plugins: PluginDirectory;
  /** What stations say that they play. */
  readonly stationTitles: StationTitles;
  /** What clients say of what they play. */
  readonly playing: PlayingBoard;
  /** Counts streams as plays. */
  readonly plays: PlayCounter;
  /** Everybody's preferences. */
  readonly preferences: Preferences;
  /** Pictures in the size that is asked for. */
  readonly art: ArtImages;
  readonly sealer: Sealer;
  /** What keys are derived from. */
  readonly secrets: ServerSecret;
  /** Epoch milliseconds. */
  readonly now: () => number;
}
