import type { PluginCall } from './plugin-call.js';
import type {
  AlbumFacts,
  AlbumQuery,
  ArtistFacts,
  ArtistQuery,
  LabelFacts,
  LabelQuery,
  SongFacts,
  SongQuery,
  SuggestedSong,
} from './metadata.js';
import type { ArtProvider } from './art.js';
import type { LyricsProvider } from './lyrics.js';
import type { Scrobbler } from './scrobbler.js';
import type { SonicAnalysis } from './sonic.js';

/** The version of this interface. It is raised when something that plug-ins rely on goes; additions do not raise it. */
export const PLUGIN_API_VERSION = 1;

/** A setting that an operator gives a plug-in, under its name in `PLUGIN_SETTINGS`. Values are texts. */
export interface PluginSetting {
  /** One sentence for operators. */
  readonly about: string;
  /** Without it the plug-in is not started; the log says so. */
  readonly required?: boolean;
  /** Never shown in logs. */
  readonly secret?: boolean;
  readonly default?: string;
  /** The value is an address that the plug-in talks to: its host is added to `hosts`. */
  readonly isAddress?: boolean;
}

/** Rate limit of a plug-in's requests, shared by all replicas of the server. */
export interface PluginPace {
  /** Least time between two requests, ms. */
  readonly everyMs: number;
}

/** HTTP request of a plug-in. */
export interface PluginRequest {
  /** Absolute `https:` or `http:` address on one of the plug-in's hosts. */
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Lifetime of a good answer in the shared cache, ms; only of GET. Absent: not at all. An answer that is too old still serves while the service is away. */
  readonly keepMs?: number;
  /** Largest body, bytes; default 1 MiB. */
  readonly maxBytes?: number;
}

/** HTTP response, of any status. */
export interface PluginResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly body: Uint8Array;
}

/** Facilities given to a plug-in at its start. */
export interface PluginTools {
  /** The operator's values and the defaults; those without either are absent. */
  readonly settings: Readonly<Record<string, string>>;
  /** Name and version of the server, for the `user-agent`. That header is set already. */
  readonly server: { readonly name: string; readonly version: string };
  /**
   * The way out: checked like everything that leaves the house, paced over all replicas, kept where `keepMs` says so.
   * @throws Error when nothing comes back; let it through, it counts as a failure of the service behind the plug-in
   */
  readonly fetch: (request: PluginRequest) => Promise<PluginResponse>;
  /** The same for JSON. Undefined: the service has nothing (404, 410, 204). @throws Error for every other status than 2xx, and for what is no JSON */
  readonly fetchJson: <T = unknown>(request: PluginRequest) => Promise<T | undefined>;
  readonly log: (level: 'debug' | 'info' | 'warn', text: string) => void;
}

/** Answers what is known of things. Undefined means: nothing. */
export interface MetadataProvider {
  artist?(query: ArtistQuery, call: PluginCall): Promise<ArtistFacts | undefined>;
  album?(query: AlbumQuery, call: PluginCall): Promise<AlbumFacts | undefined>;
  song?(query: SongQuery, call: PluginCall): Promise<SongFacts | undefined>;
  label?(query: LabelQuery, call: PluginCall): Promise<LabelFacts | undefined>;
  /** Top songs of an artist, the most played first. */
  topSongs?(query: ArtistQuery & { readonly count: number }, call: PluginCall): Promise<readonly SuggestedSong[] | undefined>;
}

/** Parts of a plug-in: one or several. */
export interface PluginParts {
  readonly metadata?: MetadataProvider;
  readonly lyrics?: LyricsProvider;
  readonly art?: ArtProvider;
  readonly scrobbler?: Scrobbler;
  readonly sonic?: SonicAnalysis;
}
export type PluginPartName = keyof PluginParts;

/**
 * A plug-in: the default export of an ES module. It runs in a thread of its own, so that neither an endless loop, a crash nor too much memory reaches the server; what
 * passes between both is copied (numbers, texts, arrays, plain objects, `Uint8Array`). Every question has a time limit. A plug-in that fails again and again is left alone
 * for a while. It is code that the operator trusts: the thread is no sandbox against malice.
 */
export interface Plugin {
  readonly apiVersion: typeof PLUGIN_API_VERSION;
  /** Lower-case letters, digits and hyphens; the key under which answers are shown. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly version: string;
  /** One sentence that says what is sent to whom. */
  readonly sends: string;
  /** Hosts that it talks to; `*.example.org` for all below one. Without any it has no way out. */
  readonly hosts?: readonly string[];
  readonly settings?: Readonly<Record<string, PluginSetting>>;
  readonly pace?: PluginPace;
  /** Largest heap of the thread, MB; default 128. */
  readonly maxHeapMb?: number;
  /** Called once in each thread, before the first question. */
  start(tools: PluginTools): PluginParts | Promise<PluginParts>;
}

/** Gives a plug-in its type; does nothing else, so that plug-ins in plain JavaScript need not import anything. */
export const definePlugin = (plugin: Plugin): Plugin => plugin;
