import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pluginSettings } from './plugin-settings.js';
import { hostsOf, isAmong, settingsFor } from './plugin-values.js';
import type { PluginManifest } from './thread-messages.js';

const settings = z.object(pluginSettings);
const manifest: PluginManifest = {
  apiVersion: 1,
  name: 'shelf',
  title: 'Shelf',
  version: '1',
  sends: 'Names.',
  hosts: ['*.example.org', 'example.net'],
  settings: {
    url: { about: 'Address', isAddress: true, default: 'https://shelf.example' },
    key: { about: 'Key of the shelf', required: true, secret: true },
  },
};

describe('settings of plug-ins', () => {
  it('name nothing by default', () => expect(settings.parse({})).toMatchObject({ PLUGINS: [], PLUGIN_SETTINGS: {} }));

  it('are names in their order, and values as texts', () => {
    const read = settings.parse({ PLUGINS: ' lrclib, ./mine ,,@acme/x', PLUGIN_SETTINGS: '{"lrclib":{"url":"u","n":7,"on":true}}' });
    expect(read.PLUGINS).toEqual(['lrclib', './mine', '@acme/x']);
    expect(read.PLUGIN_SETTINGS).toEqual({ lrclib: { url: 'u', n: '7', on: 'true' } });
  });

  it.each(['{"lastfm":{"apiKey":"very-secret"', '{"lastfm":"very-secret"}', '[]', '{"lastfm":{"apiKey":{"a":"very-secret"}}}'])(
    'that are no such object (%j) are refused without showing them',
    (text) => {
      const read = settings.safeParse({ PLUGIN_SETTINGS: text });
      expect(read.success).toBe(false);
      expect(JSON.stringify(read.error?.issues)).not.toContain('very-secret');
    },
  );

  it('are filled in, and must be there and known', () => {
    expect(settingsFor(manifest, { key: 'k' })).toEqual({ url: 'https://shelf.example', key: 'k' });
    expect(() => settingsFor(manifest, {})).toThrow('it needs the setting key: Key of the shelf');
    expect(() => settingsFor(manifest, { key: 'very-secret', keys: 'very-secret' })).toThrow(/^it has no setting keys$/);
    expect(() => settingsFor(manifest, { key: 'very-secret', url: 'nowhere' })).toThrow(/^its setting url is no address$/);
  });

  it('say where a plug-in may go', () => {
    const hosts = hostsOf(manifest, { url: 'https://other.example:8080/a', key: 'k' });
    for (const host of ['a.example.org', 'A.B.EXAMPLE.ORG', 'example.net', 'other.example'])
      expect([host, isAmong(host, hosts)]).toEqual([host, true]);
    for (const host of ['example.org', 'evilexample.org', 'a.example.net', 'shelf.example', 'example.org.evil.com'])
      expect([host, isAmong(host, hosts)]).toEqual([host, false]);
  });
});
