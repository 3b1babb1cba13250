import { given, Rejection, type ScannedTrack } from '@continuo/contracts';
import type { RemoteSong, SongStorage } from '@continuo/media-store';
import { digestOf } from '../tags/digest.js';
import { inspectPicture } from '../tags/picture.js';
import { cleanLines, cleanList, cleanText, MAX_COMMENT_CHARS } from '../tags/text.js';
import type { FoundPicture, Notice, PictureFileResult, ReadLimits, TagReader, TrackRequest, TrackResult } from '../tags/tag-reader.js';

/** Pictures that are kept for the songs that come next: those of an album share one. */
const KEPT_PICTURES = 200;

/** Longest id of another catalogue, such as MusicBrainz. */
const MAX_ID_CHARS = 64;
const MAX_DURATION_MS = 1000 * 3_600_000;

/** Suffixes whose sound is as it was recorded. */
const LOSSLESS = new Set(['flac', 'alac', 'wav', 'aiff', 'aif', 'ape', 'wv', 'dsf', 'dff', 'tta']);

/** Names, roles and genres of one song, at most. */
const MAX_NAMES = 100;
/** MIME types that are passed on from other servers. */
const MEDIA_TYPE = /^(?:(?:audio|video)\/[\w.+-]{1,80}|application\/ogg)$/;

const creditsOf = (names: RemoteSong['artists']): ScannedTrack['artists'] =>
  names.slice(0, MAX_NAMES).flatMap((said) => {
    const name = cleanText(said.name);
    return name === undefined ? [] : [given({ name, mbid: cleanText(said.mbid, MAX_ID_CHARS) })];
  });

const loudnessOf = ({ trackGainDb, albumGainDb, trackPeak, albumPeak }: RemoteSong): ScannedTrack['loudness'] =>
  given({ trackGainDb, albumGainDb, trackPeak, albumPeak });

const contributorsOf = (song: RemoteSong): ScannedTrack['contributors'] =>
  song.contributors.slice(0, MAX_NAMES).flatMap((said) => {
    const [role, subRole, name] = [cleanText(said.role), cleanText(said.subRole), cleanText(said.name)];
    return role === undefined || name === undefined ? [] : [given({ role, subRole, name })];
  });

/** A number that a field takes; others are left out. */
const whole = (value: number | undefined, most = 100_000): number | undefined =>
  value === undefined || !Number.isFinite(value) || value < 0 || value > most ? undefined : Math.round(value);

/** Sound properties of a remote song. */
const soundOf = (song: RemoteSong) => ({
  durationMs: whole(song.durationMs, MAX_DURATION_MS) ?? 0,
  format: song.suffix,
  mime: MEDIA_TYPE.test(song.mime) ? song.mime : 'application/octet-stream',
  bitrateBps: whole(song.bitrateBps, 1e9) ?? 0,
  lossless: LOSSLESS.has(song.suffix),
  sampleRateHz: whole(song.sampleRateHz, 1e9) ?? 0,
  ...given({ channels: whole(song.channels), bitDepth: whole(song.bitDepth) }),
});

/** Track of a remote song: cleaned and bounded like tags of a file. */
const trackOf = (song: RemoteSong, { fileName, sizeBytes, mtimeMs }: TrackRequest, picture: FoundPicture | undefined): ScannedTrack => {
  const year = whole(song.year);
  const said = {
    sizeBytes,
    mtimeMs,
    title: cleanText(song.title) ?? fileName,
    composers: cleanList([...song.composers], MAX_NAMES),
    ...soundOf(song),
    isrcs: cleanList([...song.isrcs], MAX_NAMES, MAX_ID_CHARS),
    loudness: loudnessOf(song),
    lyrics: [],
    extraTags: {},
    artists: creditsOf(song.artists),
    albumArtists: creditsOf(song.albumArtists),
    album: { name: cleanText(song.album) ?? '', releaseTypes: [], recordLabels: [], compilation: false, ...given({ year }) },
    genres: cleanList([...song.genres], MAX_NAMES),
    moods: cleanList([...song.moods], MAX_NAMES),
    contributors: contributorsOf(song),
    ...given({ track: whole(song.track), disk: whole(song.disk), year, bpm: whole(song.bpm) }),
    ...given({ displayArtist: cleanText(song.displayArtist), sortTitle: cleanText(song.sortTitle) }),
    ...given({ comment: cleanLines(song.comment, MAX_COMMENT_CHARS), mbRecordingId: cleanText(song.mbid, MAX_ID_CHARS) }),
    ...(picture ? { art: picture.ref } : {}),
  };
  return { fileName, digest: digestOf(said), ...said };
};

/** Reads songs by asking the server that they lie on. */
export class RemoteTags implements TagReader {
  readonly #pictures = new Map<string, Promise<FoundPicture | undefined>>();

  constructor(
    private readonly storage: SongStorage,
    private readonly limits: Pick<ReadLimits, 'maxPictureBytes' | 'maxPicturePixels'>,
  ) {}

  async readTrack(request: TrackRequest): Promise<TrackResult> {
    const path = request.folderPath === '' ? request.fileName : `${request.folderPath}/${request.fileName}`;
    const notices: Notice[] = [];
    try {
      const song = await this.storage.describe(path);
      const picture = song.artId === undefined ? undefined : await this.#picture(song.artId, notices);
      return { ok: true, track: trackOf(song, request, picture), notices, ...(picture ? { picture } : {}) };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      if (error.code === 'media.not-found') return { ok: false, reason: 'vanished', message: 'the song went away while it was asked for' };
      return { ok: false, reason: 'unreadable', message: error.message };
    }
  }

  readPicture(): Promise<PictureFileResult> {
    return Promise.resolve({ ok: false, why: 'other servers have no files of pictures' });
  }

  close(): Promise<void> {
    this.#pictures.clear();
    return Promise.resolve();
  }

  async #picture(artId: string, notices: Notice[]): Promise<FoundPicture | undefined> {
    const known = this.#pictures.get(artId) ?? this.#fetch(artId);
    this.#pictures.set(artId, known);
    const oldest = this.#pictures.size > KEPT_PICTURES ? this.#pictures.keys().next().value : undefined;
    if (oldest !== undefined) this.#pictures.delete(oldest);
    try {
      return await known;
    } catch (error) {
      // A song without its picture is better than none.
      notices.push({ reason: 'unreadable', message: `its picture is left out: ${error instanceof Error ? error.message : String(error)}` });
      return undefined;
    }
  }

  async #fetch(artId: string): Promise<FoundPicture | undefined> {
    const bytes = await this.storage.picture(artId);
    if (bytes === undefined) return undefined;
    const { maxPictureBytes: maxBytes, maxPicturePixels: maxPixels } = this.limits;
    const found = inspectPicture(bytes, { maxBytes, maxPixels });
    return found.ok ? { ref: found.ref, bytes } : undefined;
  }
}
