import type { RemoteSong, SongPlace } from '@continuo/chassis';
import { Rejection, type ScannedTrack } from '@continuo/contracts';
import { digestOf } from '../tags/digest.js';
import { inspectPicture } from '../tags/picture.js';
import type { FoundPicture, Notice, PictureFileResult, ReadLimits, TagReader, TrackRequest, TrackResult } from '../tags/tag-reader.js';

/** Pictures that are kept for the songs that come next: those of an album share one. */
const KEPT_PICTURES = 200;

/** Suffixes whose sound is as it was recorded. */
const LOSSLESS = new Set(['flac', 'alac', 'wav', 'aiff', 'aif', 'ape', 'wv', 'dsf', 'dff', 'tta']);

const present = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };

const creditsOf = (names: RemoteSong['artists']): ScannedTrack['artists'] =>
  names.map(({ name, mbid }) => present({ name, mbid }) as { name: string });

const loudnessOf = ({ trackGainDb, albumGainDb, trackPeak, albumPeak }: RemoteSong): ScannedTrack['loudness'] =>
  present({ trackGainDb, albumGainDb, trackPeak, albumPeak }) as ScannedTrack['loudness'];

/** What the other server says, as if it had been read from the file. */
const trackOf = (song: RemoteSong, { fileName, sizeBytes, mtimeMs }: TrackRequest, picture: FoundPicture | undefined): ScannedTrack => {
  const { displayArtist, track, disk, year, channels, bitDepth, bpm, comment, sortTitle } = song;
  const said = {
    sizeBytes,
    mtimeMs,
    title: song.title,
    composers: [...song.composers],
    durationMs: song.durationMs,
    format: song.suffix,
    mime: song.mime,
    bitrateBps: song.bitrateBps,
    lossless: LOSSLESS.has(song.suffix),
    sampleRateHz: song.sampleRateHz,
    isrcs: [...song.isrcs],
    loudness: loudnessOf(song),
    lyrics: [],
    extraTags: {},
    artists: creditsOf(song.artists),
    albumArtists: creditsOf(song.albumArtists),
    album: { name: song.album, releaseTypes: [], recordLabels: [], compilation: false, ...(year === undefined ? {} : { year }) },
    genres: song.genres.filter((name) => name !== ''),
    moods: song.moods.filter((name) => name !== ''),
    contributors: song.contributors
      .filter(({ name, role }) => name !== '' && role !== '')
      .map(({ role, subRole, name }) => present({ role, subRole: subRole || undefined, name }) as { role: string; name: string }),
    ...present({ displayArtist, track, disk, year, channels, bitDepth, bpm, comment, sortTitle, mbRecordingId: song.mbid }),
    ...(picture ? { art: picture.ref } : {}),
  };
  return { fileName, digest: digestOf(said), ...said };
};

/** Reads songs by asking the server that they lie on. */
export class RemoteTags implements TagReader {
  readonly #pictures = new Map<string, Promise<FoundPicture | undefined>>();

  constructor(
    private readonly place: SongPlace,
    private readonly limits: Pick<ReadLimits, 'maxPictureBytes' | 'maxPicturePixels'>,
  ) {}

  async readTrack(request: TrackRequest): Promise<TrackResult> {
    const path = request.folderPath === '' ? request.fileName : `${request.folderPath}/${request.fileName}`;
    const notices: Notice[] = [];
    try {
      const song = await this.place.describe(path);
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
    const bytes = await this.place.picture(artId);
    if (bytes === undefined) return undefined;
    const { maxPictureBytes: maxBytes, maxPicturePixels: maxPixels } = this.limits;
    const found = inspectPicture(bytes, { maxBytes, maxPixels });
    return found.ok ? { ref: found.ref, bytes } : undefined;
  }
}
