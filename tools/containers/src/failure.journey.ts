import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { someOf } from '@continuo/local-servers/test-form';
import { describe, expect, it } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import type { Part } from './cluster.js';
import { allSongs, patience, scan, type Installation } from './installation.js';
import { Ledger } from './ledger.js';

const MORE_FILES = 400;

/** Each container killed while somebody writes. @param installation answers what was installed, once tests run */
export const failureJourneys = (installation: () => Installation): void => {
  describe('survive', () => {
    it.each<Part>(someOf(['library', 'playback', 'nats', 'social', 'ingestion', 'gateway', 'transcoding', 'sonic', 'postgres'], 3))(
      'that %s is killed, with all that was acknowledged, once',
      async (part) => {
        const { client, cluster } = installation();
        const ledger = new Ledger(part, (name) => client.native('playlist_create', { name, type: 'private' }));
        const { acknowledged } = ledger;
        try {
          await expect.poll(() => acknowledged.length, patience).toBeGreaterThan(5);
          await cluster.killAndRestart(part);
          const before = acknowledged.length;
          await expect.poll(() => acknowledged.length, patience).toBeGreaterThan(before + 5);
        } finally {
          await ledger.close();
        }
        const audit = async (): Promise<unknown> => {
          const query = { limit: '0', hide_search: '1', filter: `${part} `, exact: '0' };
          const { playlist } = await client.native<{ playlist: { name: string }[] }>('playlists', query);
          return ledger.audit(playlist.map(({ name }) => name.replace(/ \(.*\)$/, '')));
        };
        await expect.poll(audit, patience).toEqual({ missing: [], double: [] });
        await cluster.untilBack(part);
        expect(await allSongs(client)).toHaveLength(installation().songs);
      },
    );

    it('that ingestion is killed while it scans, and go on with the scan', async () => {
      const { client, cluster, songs } = installation();
      const added = await generateFiles({
        out: join(cluster.music, 'more'),
        count: MORE_FILES,
        formats: ['mp3', 'flac'],
        seed: 9,
        flat: false,
      });
      await scan(client);
      await cluster.killAndRestart('ingestion');
      await expect.poll(async () => (await allSongs(client)).length, { timeout: 150_000, interval: 500 }).toBe(songs + added.songs);
      await rm(join(cluster.music, 'more'), { recursive: true });
    });
  });
};
