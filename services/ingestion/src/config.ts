import { availableParallelism } from 'node:os';
import { baseConfig, flag, isSchedule, jsonOf, outboundSettings, type Environment } from '@continuo/chassis';
import { pluginSettings } from '@continuo/plugins';
import { z } from 'zod';
import { artSettings, storageSettings } from '@continuo/media-store';
import { USUAL_PICTURE_NAMES } from './scan/picture-names.js';
import { defaultTagRules } from './tags/tag-rules.js';

/** Threads that read tags where nothing else is said: a core stays free for the rest of the service. */
const defaultThreads = Math.max(1, Math.min(4, availableParallelism() - 1));

/** A JSON list of texts. */
const separators = (usual: readonly string[]) =>
  z
    .string()
    .default(JSON.stringify(usual))
    .transform((text, check) => {
      const list = separatorList.safeParse(jsonOf(text));
      if (list.success) return list.data;
      check.addIssue({ code: 'custom', message: 'a JSON list of texts is expected, such as [";"," / "]' });
      return z.NEVER;
    });

const separatorList = z.array(z.string().min(1).max(20)).max(20);

const isCharacterSet = (label: string): boolean => {
  try {
    return label === 'auto' || new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
};

/** Settings of the ingestion service. */
export const ingestionConfig = baseConfig.extend({
  /** Threads that read tags. More than one thread helps only beside free cores. */
  SCAN_TAG_THREADS: z.coerce.number().int().min(1).max(64).default(defaultThreads),
  /** Files that one thread reads at the same time. */
  SCAN_FILES_PER_THREAD: z.coerce.number().int().min(1).max(64).default(8),
  /** Folders that are recorded at the same time. */
  SCAN_FOLDERS_IN_FLIGHT: z.coerce.number().int().min(1).max(256).default(16),
  /** Whether folders of local catalogs are watched, so that changes show without a scan; a catalog may choose for itself. One worker of all watches. */
  SCAN_WATCH: flag(false),
  /** Quiet time in a watched catalog before changed paths are scanned, ms. */
  SCAN_WATCH_QUIET_MS: z.coerce.number().int().min(50).max(600_000).default(5000),
  /** When all enabled catalogs are scanned, as a cron expression (minute, hour, day, month, day of week); empty: never by the clock. A catalog may have its own. */
  SCAN_SCHEDULE: z
    .string()
    .trim()
    .default('')
    .refine((text) => text === '' || isSchedule(text), 'this is no cron expression'),
  /** Name of the time zone that the schedule means. */
  SCAN_SCHEDULE_ZONE: z.string().trim().min(1).default('UTC'),
  /** Whether this worker reads folders for scans that other workers run. */
  SCAN_HELP_OTHERS: flag(true),
  /** Time for reading one file, ms; a file that takes longer is left out as damaged. */
  SCAN_PARSE_TIMEOUT_MS: z.coerce.number().int().min(100).default(30_000),
  /** The program that reads videos, part of ffmpeg 5 or newer; a bare name is looked up in `PATH`. */
  FFPROBE_PATH: z.string().min(1).default('ffprobe'),
  /** The program that writes what an uploader says into the tags of the file, part of ffmpeg 5 or newer; a bare name is looked up in `PATH`. */
  FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
  /** Larger covers are left out, bytes. */
  SCAN_MAX_PICTURE_BYTES: z.coerce.number().int().min(1).default(20_000_000),
  /** Covers with more pixels are left out. */
  SCAN_MAX_PICTURE_PIXELS: z.coerce.number().int().min(1).default(100_000_000),
  /** Names of folder pictures, between commas, the best first; `*` and `?` stand for letters. Without any of them the only picture of a folder is its. */
  SCAN_PICTURE_NAMES: z.string().default(USUAL_PICTURE_NAMES),
  /** Names of artist pictures, in the artists' folders or beside their songs; written in the same way. */
  SCAN_ARTIST_PICTURE_NAMES: z.string().default('artist.*'),
  /** Separators of artist names within one tag value, as a JSON list. A blank in front or behind says that white space must stand there. */
  TAG_ARTIST_SEPARATORS: separators(defaultTagRules.artistSeparators),
  /** Separators of genres and moods within one tag value, as a JSON list. */
  TAG_GENRE_SEPARATORS: separators(defaultTagRules.genreSeparators),
  /** Character set of tags and lyrics files that are no UTF-8 and name none (`windows-1251`, `shift_jis`, …); `auto`: a guess by the letters of each file. */
  TAG_ENCODING: z.string().default(defaultTagRules.encoding).refine(isCharacterSet, 'this character set is not known'),
  /** Whether tags may be written into music files (`continuo song write-tags`). */
  WRITE_TAGS: flag(false),
  /** Whether the API may delete media files from the disk (`song_delete`, task `remove`). */
  DELETE_FROM_DISK: flag(false),
  /** Whether scans make playlists of the playlist files (M3U, M3U8, PLS, XSPF) that they meet in catalogs, and keep them as the files say. */
  SCAN_PLAYLISTS: flag(false),
  /** Name of the account that owns the playlists that scans make; `system` for playlists of nobody, which are public. */
  SCAN_PLAYLISTS_OWNER: z.string().min(1).default('system'),
  /** Whether everybody may open the playlists that scans make. */
  SCAN_PLAYLISTS_PUBLIC: flag(true),
  /** Time between two visits to the feed of a podcast, minutes; 0: only when somebody asks. Feeds that fail wait longer each time. */
  PODCAST_SYNC_MINUTES: z.coerce.number().int().min(0).max(100_000).default(60),
  /** Largest feed of a podcast that is read, bytes as sent and as unpacked. */
  PODCAST_MAX_FEED_BYTES: z.coerce.number().int().min(1000).default(20_000_000),
  /** Time for reading one feed, ms. */
  PODCAST_FEED_TIMEOUT_MS: z.coerce.number().int().min(100).default(30_000),
  /** Largest file of an episode that is fetched, bytes. */
  PODCAST_MAX_EPISODE_BYTES: z.coerce.number().int().min(1000).default(2_000_000_000),
  /** Time for one attempt at fetching the file of an episode, ms; the next one goes on where it stopped. */
  PODCAST_DOWNLOAD_TIMEOUT_MS: z.coerce.number().int().min(100).default(3_600_000),
  /** Longest silence of a server while the file of an episode is fetched, ms. */
  PODCAST_DOWNLOAD_STALL_MS: z.coerce.number().int().min(100).default(30_000),
  /** Room that downloads of podcasts leave on the disk of their catalog, bytes. */
  PODCAST_KEEP_FREE_BYTES: z.coerce.number().int().min(0).default(200_000_000),
  ...outboundSettings,
  ...storageSettings,
  ...artSettings,
  ...pluginSettings,
  /** Time between two progress events of a scan, ms. */
  SCAN_PROGRESS_INTERVAL_MS: z.coerce.number().int().min(100).default(2000),
});
export type IngestionConfig = z.infer<typeof ingestionConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
