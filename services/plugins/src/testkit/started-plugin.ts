import { checkedOutboundClient, createMetrics, parseRanges } from '@continuo/chassis';
import { pino } from 'pino';
import type { PluginPartName } from '../api/plugin.js';
import { PluginHost, type PluginHostTools } from '../host/plugin-host.js';
import { InMemoryAnswers, InMemoryPace } from '../requests/in-memory-answers.adapter.js';

const everyPart: readonly PluginPartName[] = ['metadata', 'lyrics', 'art', 'scrobbler', 'sonic'];

/** A host with plug-ins in their threads that may reach the loopback, with everything else in memory. Whoever starts it stops it. */
export const startPlugins = (
  plugins: readonly string[],
  settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  replaced: Partial<PluginHostTools> & { readonly timeoutMs?: number } = {},
): Promise<PluginHost> => {
  const { timeoutMs = 20_000, ...tools } = replaced;
  return PluginHost.start({
    config: { PLUGINS: plugins, PLUGIN_SETTINGS: settings, PLUGIN_TIMEOUT_MS: timeoutMs, CONTINUO_DATA: '/nowhere' },
    log: pino({ level: 'silent' }),
    metrics: createMetrics('spec'),
    outbound: checkedOutboundClient({ allowed: parseRanges(['127.0.0.0/8']) }),
    memory: new InMemoryAnswers(),
    pace: new InMemoryPace(),
    parts: everyPart,
    ...tools,
  });
};
