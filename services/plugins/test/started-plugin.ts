import { checkedOutboundClient, createMetrics, parseRanges } from '@continuo/chassis';
import { pino } from 'pino';
import type { PluginPartName } from '../src/api/plugin.js';
import { PluginHost, type PluginHostDependencies } from '../src/host/plugin-host.js';
import { InMemoryAnswerCache, InMemoryRateLimiter } from '../src/requests/in-memory-answer-cache.adapter.js';

const everyPart: readonly PluginPartName[] = ['metadata', 'lyrics', 'art', 'scrobbler', 'sonic'];

/** A host with plug-ins in their threads that may reach the loopback, with everything else in memory. Whoever starts it stops it. */
export const startPlugins = (
  plugins: readonly string[],
  settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  replaced: Partial<PluginHostDependencies> & { readonly timeoutMs?: number } = {},
): Promise<PluginHost> => {
  const { timeoutMs = 20_000, ...deps } = replaced;
  return PluginHost.start({
    config: { PLUGINS: plugins, PLUGIN_SETTINGS: settings, PLUGIN_TIMEOUT_MS: timeoutMs, CONTINUO_DATA: '/nowhere' },
    log: pino({ level: 'silent' }),
    metrics: createMetrics('spec'),
    outbound: checkedOutboundClient({ allowed: parseRanges(['127.0.0.0/8']) }),
    memory: new InMemoryAnswerCache(),
    pace: new InMemoryRateLimiter(),
    parts: everyPart,
    ...deps,
  });
};
