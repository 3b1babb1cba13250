import { safeFileNameOf } from '@continuo/chassis';
import type { EpisodeView } from './podcasts.reads.js';

/** Suffixes by MIME type of a feed. */
const suffixes: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/x-m4a', 'm4a'],
  ['audio/m4a', 'm4a'],
  ['audio/aac', 'aac'],
  ['audio/aacp', 'aac'],
  ['audio/ogg', 'ogg'],
  ['application/ogg', 'ogg'],
  ['audio/vorbis', 'ogg'],
  ['audio/opus', 'opus'],
  ['audio/flac', 'flac'],
  ['audio/x-flac', 'flac'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['video/mp4', 'mp4'],
  ['video/x-m4v', 'm4v'],
  ['video/quicktime', 'mov'],
  ['video/webm', 'webm'],
]);

const SUFFIX = /\.(?<suffix>[a-z0-9]{2,4})$/i;
/** The usual format of feeds, which every player supports. */
const USUAL = 'mp3';

/** Suffix of an episode's file, without the dot: of the kept file, else by MIME type or address. */
export const episodeSuffix = ({ format, mime, mediaUrl }: Pick<EpisodeView, 'format' | 'mime' | 'mediaUrl'>): string => {
  if (format !== null) return format;
  const type = mime?.split(';')[0]?.trim().toLowerCase() ?? '';
  return suffixes.get(type) ?? SUFFIX.exec(URL.parse(mediaUrl)?.pathname ?? '')?.groups?.['suffix']?.toLowerCase() ?? USUAL;
};

/** File name of an episode for downloads. */
export const episodeFileName = (episode: Pick<EpisodeView, 'podcastTitle' | 'title' | 'format' | 'mime' | 'mediaUrl'>): string =>
  safeFileNameOf(`${episode.podcastTitle} - ${episode.title}`, episodeSuffix(episode));

/** Bitrate of the kept file, else estimated by length and size from the feed; 0 when unknown. */
export const episodeBitrateBps = ({
  bitrateBps,
  sizeBytes,
  durationMs,
}: Pick<EpisodeView, 'bitrateBps' | 'sizeBytes' | 'durationMs'>): number => {
  if (bitrateBps !== null) return bitrateBps;
  return sizeBytes === null || durationMs === null || durationMs <= 0 ? 0 : Math.round((sizeBytes * 8000) / durationMs);
};

/** True for a video episode. */
export const isVideoEpisode = ({ mime }: Pick<EpisodeView, 'mime'>): boolean => mime?.toLowerCase().startsWith('video/') ?? false;
