import type { Caller } from '../../auth/index.js';

/** What the rows of the native objects need of the request: links, which carry the caller's token. */
export interface NativeContext {
  readonly links: Links;
}

/** Kinds of object that can have a picture. */
export type ArtKind = 'song' | 'album' | 'album_disk' | 'artist' | 'folder' | 'user' | 'video' | 'playlist' | 'search' | 'podcast';

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The form that a link asks for. */
export interface ConvertedLink {
  readonly suffix: string;
  readonly bitrateBps: number;
}

/** Whose links they are, and the tokens that they carry. */
export interface LinkHolder {
  readonly userId: number;
  readonly mediaToken: string;
  /** What play addresses carry instead, when the account has one (service description part 5.1). */
  readonly streamToken?: string | undefined;
}

/** The caller of a request as the holder of its links. */
export const linkHolder = ({ account, mediaToken, streamToken }: Caller): LinkHolder => ({ userId: account.id, mediaToken, streamToken });

/** Writes the links of one request's answers (native README section 12). */
export class Links {
  private readonly userId: number;
  private readonly streamStart: string;
  private readonly playStart: string;
  private readonly artEnd: string;

  constructor(
    private readonly baseUrl: string,
    caller: LinkHolder,
  ) {
    this.userId = caller.userId;
    this.streamStart = `${baseUrl}/play/index.php?ssid=${encode(caller.streamToken ?? caller.mediaToken)}`;
    this.playStart = `${this.streamStart}&type=`;
    this.artEnd = `&auth=${encode(caller.mediaToken)}&name=art.jpg`;
  }

  /** Where a song plays, in the form that the account is sent when it is not the file's own. `fileName` is for people and players that look at the suffix. */
  song(id: number, fileName: string, converted?: ConvertedLink): string {
    return this.play('song', id, fileName, converted);
  }

  /** Where a video plays. */
  video(id: number, fileName: string): string {
    return this.play('video', id, fileName);
  }

  /** Where an episode of a podcast plays. */
  episode(id: number, fileName: string): string {
    return this.play('podcast_episode', id, fileName);
  }

  // The name stands last, and a form that is converted to before it (native README section 12).
  private play(type: 'song' | 'video' | 'podcast_episode', id: number, fileName: string, converted?: ConvertedLink): string {
    const form = converted === undefined ? '' : `&transcode_to=${converted.suffix}&bitrate=${converted.bitrateBps}`;
    return `${this.playStart}${type}&oid=${id}&uid=${this.userId}${form}&player=api&name=${encode(fileName.replaceAll('/', '-'))}`;
  }

  /** Where the songs that people vote for play, one after the other. */
  democratic(listId: number): string {
    return `${this.streamStart}&uid=${this.userId}&demo_id=${listId}`;
  }

  /** Where a picture is. */
  art(kind: ArtKind, id: number): string {
    return `${this.baseUrl}/image.php?object_id=${id}&object_type=${kind}${this.artEnd}`;
  }

  /** Where a song's page is. */
  songPage(id: number): string {
    return `${this.baseUrl}/?song=${id}`;
  }

  /** Where a podcast's page is. */
  podcastPage(id: number): string {
    return `${this.baseUrl}/?podcast=${id}`;
  }

  /** Where the page of a podcast's episode is. */
  episodePage(id: number): string {
    return `${this.baseUrl}/?podcast_episode=${id}`;
  }

  /** Where a record label's page is. */
  label(id: number): string {
    return `${this.baseUrl}/?label=${id}`;
  }

  /** Where a person's page is. */
  user(id: number): string {
    return `${this.baseUrl}/?user=${id}`;
  }
}

/** Whole seconds of a duration in milliseconds. */
export const seconds = (durationMs: number): number => Math.round(durationMs / 1000);

/** An instant in epoch seconds. */
export const epochSeconds = (atMs: number): number => Math.floor(atMs / 1000);

/** An instant as the native API writes it: ISO 8601 to the second with a numeric offset. */
export const isoInstant = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}+00:00`;
