import { answerQuery, checkedOutboundClient, type OutboundClient, type Running, type ServiceDependencies } from '@continuo/chassis';
import { PLUGINS_SUBJECT, pluginsQuery, type ReadModel } from '@continuo/contracts';
import { InMemoryAnswerCache, InMemoryRateLimiter, PluginHost } from '@continuo/plugins';
import type { Kysely } from 'kysely';
import { type CatalogMedia, openCatalogMedia } from '@continuo/media-store';
import { LocalSoundSimilarity } from './similarity/local-sound-similarity.js';
import { RemoteSoundSimilarity } from './similarity/remote-sound-similarity.js';
import type { Sounds } from './similarity/sounds.js';
import { slotsOf, type SonicConfig } from './config.js';
import { countSong, sonicMetrics } from './metrics.js';
import { PluginAnalyser } from './plugin/plugin-analyser.adapter.js';
import type { PartWorkerDependencies } from './run/part-worker.js';
import { ffmpegFingerprint } from './sound/fingerprint.adapter.js';

type Dependencies = ServiceDependencies<SonicConfig>;

/** Components of the service, shared by handlers and background work. */
export interface SonicParts extends PartWorkerDependencies {
  /** Undefined where no sonic plug-in runs. */
  readonly plugin: { readonly name: string; readonly title: string; readonly model: string | null } | undefined;
  /** Why there is none, for operators. */
  readonly problem: string | undefined;
  readonly sounds: Sounds | undefined;
  readonly local: LocalSoundSimilarity | undefined;
  readonly states: () => Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Injection token of the {@link SonicParts}. */
export const SONIC_PARTS = Symbol('SonicParts');

/** The plug-in that comes with the server runs the same ffmpeg as the service, unless it is told another. */
const settingsFor = ({ PLUGIN_SETTINGS, FFMPEG_PATH }: SonicConfig): SonicConfig['PLUGIN_SETTINGS'] => ({
  ...PLUGIN_SETTINGS,
  sonic: { ffmpeg: FFMPEG_PATH, ...PLUGIN_SETTINGS['sonic'] },
});

const startHost = ({ config, log, metrics }: Dependencies, outbound: OutboundClient): Promise<PluginHost> =>
  PluginHost.start({
    config: { ...config, PLUGIN_SETTINGS: settingsFor(config) },
    log,
    metrics,
    outbound,
    memory: new InMemoryAnswerCache(),
    pace: new InMemoryRateLimiter(),
    parts: ['sonic'],
  });

/** One host, and as many more as songs are analysed at once: each has a thread of the plug-in. */
const startHosts = async (deps: Dependencies, outbound: OutboundClient): Promise<[PluginHost, ...PluginHost[]]> => {
  const first = await startHost(deps, outbound);
  const analyses = PluginAnalyser.over([first], deps.config.SONIC_SONG_TIMEOUT_MS) !== undefined;
  const more = analyses ? slotsOf(deps.config) - 1 : 0;
  return [first, ...(await Promise.all(Array.from({ length: more }, () => startHost(deps, outbound))))];
};

const problemOf = (host: PluginHost, { PLUGINS }: SonicConfig): string => {
  const states = Object.entries(host.states()).filter(([, state]) => state.startsWith('unusable'));
  if (states.length > 0) return states.map(([name, state]) => `${name}: ${state}`).join('; ');
  return PLUGINS.length === 0 ? 'PLUGINS names no plug-in' : 'none of the plug-ins in PLUGINS analyses or compares sounds';
};

/** Starts the plug-ins of the service and opens what they analyse. */
export const openSonicParts = async (deps: Dependencies): Promise<SonicParts> => {
  const { config, log, aggregates, nats, now } = deps;
  const db = deps.db as Kysely<ReadModel>;
  const outbound = checkedOutboundClient({
    allowed: config.OUTBOUND_ALLOWED_NETWORKS,
    counted: { metrics: deps.metrics, purpose: 'plugins' },
  });
  const hosts = await startHosts(deps, outbound);
  const [host] = hosts;
  const answer = () => ({ service: 'sonic', plugins: host.health() });
  const answered = answerQuery({ nats, log, subject: PLUGINS_SUBJECT, query: pluginsQuery, answer });
  const media = openCatalogMedia({ db, sealer: deps.sealer, secrets: deps.secrets, metrics: deps.metrics, config });
  const metrics = sonicMetrics(deps.metrics.registry);
  const analyser = PluginAnalyser.over(hosts, config.SONIC_SONG_TIMEOUT_MS);
  const remote = RemoteSoundSimilarity.over(host, db, config.PLUGIN_TIMEOUT_MS);
  const sized = (songs: number, sizeBytes: number): void => {
    metrics.sounds.set(songs);
    metrics.soundBytes.set(sizeBytes);
  };
  const local = analyser && new LocalSoundSimilarity({ db, nats, log, sized, model: analyser.model, dimensions: analyser.dimensions });
  const plugin = analyser ?? remote?.plugin;
  return {
    aggregates,
    db,
    analyser,
    log,
    now,
    local,
    mediaStore: media.store,
    fingerprint: ffmpegFingerprint(config.FFMPEG_PATH),
    ended: countSong(metrics),
    plugin: analyser ? { name: analyser.name, title: analyser.title, model: analyser.model } : remoteOf(remote),
    problem: plugin ? undefined : problemOf(host, config),
    sounds: local ?? remote,
    states: () => host.states(),
    close: () => closeAll({ answered, local, hosts, media, outbound }),
  };
};

const remoteOf = (remote: RemoteSoundSimilarity | undefined): SonicParts['plugin'] =>
  remote && { name: remote.plugin.name, title: remote.plugin.manifest.title, model: null };

const closeAll = async (open: {
  readonly answered: Running;
  readonly local: LocalSoundSimilarity | undefined;
  readonly hosts: readonly PluginHost[];
  readonly media: CatalogMedia;
  readonly outbound: OutboundClient;
}): Promise<void> => {
  await open.answered.stop();
  await open.local?.stop();
  await Promise.all(open.hosts.map((host) => host.stop()));
  await open.media.close();
  await open.outbound.close();
};
