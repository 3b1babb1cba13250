import type { AlbumQuery, ArtistQuery } from './metadata.js';
import type { PluginCall } from './plugin-call.js';

/** Where a picture is; the server fetches it, through its own limits. */
export interface FoundArt {
  readonly url: string;
  /** `front`, `back`, `artist`, … */
  readonly kind?: string | undefined;
  readonly widthPx?: number | undefined;
  readonly heightPx?: number | undefined;
}

/** Finds pictures, the best first. */
export interface ArtProvider {
  album?(query: AlbumQuery, call: PluginCall): Promise<readonly FoundArt[] | undefined>;
  artist?(query: ArtistQuery, call: PluginCall): Promise<readonly FoundArt[] | undefined>;
}
