import type { Caller } from '../../../auth/index.js';
import { isoText } from '../../../server/date-text.js';

/** Request data that rows need: links with the caller's tokens. */
export interface NativeContext {
  readonly links: Links;
}

/** Kinds of object that can have a picture. */
export type ArtKind = 'song' | 'album' | 'album_disk' | 'artist' | 'folder' | 'user' | 'video' | 'playlist' | 'search' | 'podcast';

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Conversion requested by a link. */
export interface ConvertedLink {
  readonly suffix: string;
  readonly bitrateBps: number;
}

/** Account of the links, and its tokens. */
export interface LinkHolder {
  readonly userId: number;
  readonly mediaToken: string;
  /** Media token for addresses of pictures. */
  readonly artToken: string;
  /** True for accounts that see file paths relative to their catalog only. */
  readonly hidesServerPaths?: boolean | undefined;
  /** Stream token used in play addresses instead, if the account has one. */
  readonly streamToken?: string | undefined;
}

/** The caller as holder of links. */
export const linkHolder = ({ account, mediaToken, artToken, streamToken }: Caller): LinkHolder => ({
  userId: account.id,
  mediaToken,
  artToken,
  streamToken,
});

/** Builds the links of one request's answers. */
export class Links {
  private readonly userId: number;
  private readonly hidesServerPaths: boolean;
  private readonly streamStart: string;
  private readonly playStart: string;
  private readonly artEnd: string;

  constructor(
    private readonly baseUrl: string,
    caller: LinkHolder,
  ) {
    this.userId = caller.userId;
    this.hidesServerPaths = caller.hidesServerPaths === true;
    this.streamStart = `${baseUrl}/play/index.php?ssid=${encode(caller.streamToken ?? caller.mediaToken)}`;
    this.playStart = `${this.streamStart}&type=`;
    this.artEnd = `&auth=${encode(caller.artToken)}&name=art.jpg`;
  }

  /** Play address of a song, in the account's format if converted. `fileName` is for people and for players that look at the suffix. */
  song(id: number, fileName: string, converted?: ConvertedLink): string {
    return this.play('song', id, fileName, converted);
  }

  /** Play address of a video. */
  video(id: number, fileName: string): string {
    return this.play('video', id, fileName);
  }

  /** Play address of an episode. */
  episode(id: number, fileName: string): string {
    return this.play('podcast_episode', id, fileName);
  }

  // The name comes last, after the format.
  private play(type: 'song' | 'video' | 'podcast_episode', id: number, fileName: string, converted?: ConvertedLink): string {
    const form = converted === undefined ? '' : `&transcode_to=${converted.suffix}&bitrate=${converted.bitrateBps}`;
    return `${this.playStart}${type}&oid=${id}&uid=${this.userId}${form}&player=api&name=${encode(fileName.replaceAll(/[/\\]/g, '-'))}`;
  }

  /** Play address of democratic play. */
  democratic(listId: number): string {
    return `${this.streamStart}&uid=${this.userId}&demo_id=${listId}`;
  }

  /** Path of a file as visible to the caller. */
  filePath(catalogPath: string, path: string): string {
    return this.hidesServerPaths ? path : `${catalogPath}/${path}`;
  }

  /** Full path as visible to the caller: only the file name when the folder would reveal the catalog's location. */
  wholePath(path: string): string {
    return this.hidesServerPaths ? path.slice(path.lastIndexOf('/') + 1) : path;
  }

  /** Path of a catalog as visible to the caller. */
  catalogPath(path: string): string {
    return this.hidesServerPaths ? '' : path;
  }

  /** Address of a picture. */
  art(kind: ArtKind, id: number): string {
    return `${this.baseUrl}/image.php?object_id=${id}&object_type=${kind}${this.artEnd}`;
  }

  /** Address of a song's page. */
  songPage(id: number): string {
    return `${this.baseUrl}/?song=${id}`;
  }

  /** Address of a podcast's page. */
  podcastPage(id: number): string {
    return `${this.baseUrl}/?podcast=${id}`;
  }

  /** Address of an episode's page. */
  episodePage(id: number): string {
    return `${this.baseUrl}/?podcast_episode=${id}`;
  }

  /** Address of a label's page. */
  label(id: number): string {
    return `${this.baseUrl}/?label=${id}`;
  }

  /** Address of an account's page. */
  user(id: number): string {
    return `${this.baseUrl}/?user=${id}`;
  }
}

/** Whole seconds of a duration in milliseconds. */
export const seconds = (durationMs: number): number => Math.round(durationMs / 1000);

/** An instant in epoch seconds. */
export const epochSeconds = (atMs: number): number => Math.floor(atMs / 1000);

/** Formats an instant as ISO 8601 to the second with a numeric offset. */
export const isoInstant = (atMs: number): string => `${isoText(atMs).slice(0, 19)}+00:00`;
