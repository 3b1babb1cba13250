import type { EpisodeView } from '../reads/podcasts.reads.js';

/** Suffixes of the files that feeds name, by their type. */
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
/** What players play everywhere, and most feeds have. */
const USUAL = 'mp3';

/** The suffix of an episode's file, without the dot: that of the kept file, or else by its type, or as its address ends. */
export const episodeSuffix = ({ format, mime, mediaUrl }: Pick<EpisodeView, 'format' | 'mime' | 'mediaUrl'>): string => {
  if (format !== null) return format;
  const type = mime?.split(';')[0]?.trim().toLowerCase() ?? '';
  return suffixes.get(type) ?? SUFFIX.exec(URL.parse(mediaUrl)?.pathname ?? '')?.groups?.['suffix']?.toLowerCase() ?? USUAL;
};

/** What an episode's file is called for those to whom it is sent. */
export const episodeFileName = (episode: Pick<EpisodeView, 'podcastTitle' | 'title' | 'format' | 'mime' | 'mediaUrl'>): string =>
  `${episode.podcastTitle} - ${episode.title}.${episodeSuffix(episode)}`;

/** What the kept file has, or else what follows from the length and the size that its feed tells; 0 where they say nothing. */
export const episodeBitrateBps = ({
  bitrateBps,
  sizeBytes,
  durationMs,
}: Pick<EpisodeView, 'bitrateBps' | 'sizeBytes' | 'durationMs'>): number => {
  if (bitrateBps !== null) return bitrateBps;
  return sizeBytes === null || durationMs === null || durationMs <= 0 ? 0 : Math.round((sizeBytes * 8000) / durationMs);
};

/** True for an episode to look at. */
export const isVideoEpisode = ({ mime }: Pick<EpisodeView, 'mime'>): boolean => mime?.toLowerCase().startsWith('video/') ?? false;
