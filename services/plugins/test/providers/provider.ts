import { afterEach } from 'vitest';
import type { PluginHost } from '../../src/host/plugin-host.js';
import type { PluginPartName } from '../../src/api/plugin.js';
import { recordedService, type RecordedAnswer } from '../recorded-service.js';
import { startPlugins } from '../started-plugin.js';
import type { FakeService } from '../fake-service.js';

/** A provider in its thread that asks a stand-in, for specs; ended after each. */
export const provider = (name: string, addresses: readonly string[], settings: Readonly<Record<string, string>> = {}) => {
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
  });
  return async (answers: readonly RecordedAnswer[]) => {
    const service: FakeService = await recordedService(answers);
    const own = Object.fromEntries(addresses.map((setting) => [setting, service.url]));
    const host: PluginHost = await startPlugins([name], { [name]: { ...own, ...settings } });
    running.push(service, host);
    const ask = (part: PluginPartName, what: string, query: unknown): Promise<unknown> =>
      host.named(name)?.ask(part, what, query, 30_000) ?? Promise.reject(new Error(JSON.stringify(host.states())));
    return { service, host, ask };
  };
};
