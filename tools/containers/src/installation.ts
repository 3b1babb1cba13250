import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { formatNames, generateFiles } from '@continuo/media-fixtures';
import { Client } from './client.js';
import { Cluster } from './cluster.js';
import { writeNoise } from './noise.js';

const FILES = 60;
const NOISES = 8;
const NOISE_S = 90;

/** Patience for steps that take a moment on a quiet machine. */
export const patience = { timeout: 90_000, interval: 250 } as const;

/** A song as the compatibility API tells of it. */
export interface Song {
  readonly id: string;
  readonly title: string;
  readonly suffix: string;
  readonly albumId?: string;
  readonly coverArt?: string;
  readonly playCount?: number;
  readonly userRating?: number;
}

/** Fixtures of all journeys: the containers, a client that is logged in, songs that were scanned. */
export interface Installation {
  readonly cluster: Cluster;
  readonly client: Client;
  /** Number of scanned songs. */
  readonly songs: number;
}

/** All songs, by the compatibility API. */
export const allSongs = async (client: Client): Promise<Song[]> => {
  const query = { query: '', songCount: '500', artistCount: '0', albumCount: '0' };
  return (await client.compat<{ searchResult3: { song?: Song[] } }>('search3', query)).searchResult3.song ?? [];
};

/** Starts an installation with small songs of all formats and a few long ones. @throws Error when it does not come up, the containers ended */
export const install = async (): Promise<Installation> => {
  const cluster = await Cluster.prepare();
  try {
    const client = new Client(cluster);
    const { songs } = await generateFiles({ out: cluster.music, count: FILES, formats: formatNames, seed: 5, flat: false });
    for (let number = 1; number <= NOISES; number += 1)
      await writeNoise(join(cluster.music, 'noise', `noise ${number}.wav`), NOISE_S, number);
    await cluster.start();
    await client.login(patience.timeout);
    await client.native('catalog_add', { name: 'music', path: '/media' });
    await scan(client);
    while ((await allSongs(client)).length < songs + NOISES) await delay(patience.interval);
    return { cluster, client, songs: songs + NOISES };
  } catch (error) {
    await cluster.end();
    throw new Error('the containers did not come up', { cause: error });
  }
};

/** Has the catalog scanned; resolves when the scan is ordered. */
export const scan = async (client: Client): Promise<void> => {
  const { catalog } = await client.native<{ catalog: { id: string }[] }>('catalogs');
  await client.native('catalog_action', { task: 'add_to_catalog', catalog: catalog[0]?.id ?? '' });
};
