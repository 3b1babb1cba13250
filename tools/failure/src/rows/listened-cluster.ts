import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addCatalog } from '@continuo/contracts';
import { sql } from 'kysely';
import type { Cluster } from '../cluster/cluster.js';
import { apiUrl, ask } from '../http/api-client.js';
import type { Load } from '../load/load.js';
import { retryUntil, until } from '../until.js';
import { scanToTheEnd } from '../scans/scan-driver.js';
import { makeNoiseFiles } from '../transcodes/noise-files.js';

/** A song with real bytes. */
export interface ListenedSong {
  readonly id: string;
  readonly bytes: Buffer;
}

const FOUND_MS = 120_000;

/** Puts a real file into the library and answers what clients find of it. */
export const addSongWithSound = async (cluster: Cluster, load: Load, home: string, seconds: number): Promise<ListenedSong> => {
  const folder = join(home, 'noise');
  await makeNoiseFiles(folder, 1, seconds);
  const { catalogId } = await load.client.send(addCatalog, { name: 'noise', path: folder });
  // Others write at the same time: its scan may be asked for when the tables show it.
  await until('the catalog is shown', FOUND_MS, async () => {
    const { rows } = await sql`select 1 from library.catalog where id = ${catalogId}`.execute(cluster.db);
    return rows.length > 0;
  });
  await scanToTheEnd(load.client, cluster.db, catalogId);
  const id = await retryUntil('the song is found', FOUND_MS, async () => {
    const { body } = await ask(cluster.gatewayUrl('gateway-1'), 'search3', { query: 'Noise', songCount: '1' });
    const found = (body['searchResult3'] as { song?: { id: string }[] } | undefined)?.song?.[0]?.id;
    if (found === undefined) throw new Error(`not found: ${JSON.stringify(body)}`);
    return found;
  });
  return { id, bytes: await readFile(join(folder, '001.flac')) };
};

/** Bytes received of a response, and whether it completed. */
export interface Heard {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
  readonly firstByteMs: number;
}

/** Reads a response to its end, or to where it breaks. `onBytes` is told how much there is, and may take its time. */
export const hear = async (
  gateway: string,
  query: Readonly<Record<string, string>>,
  from = 0,
  onBytes: (received: number) => Promise<void> = () => Promise.resolve(),
): Promise<Heard> => {
  const startedAt = performance.now();
  const pieces: Uint8Array[] = [];
  let [received, firstByteMs, isWhole] = [0, 0, false];
  try {
    const response = await fetch(apiUrl(gateway, 'stream', query), from > 0 ? { headers: { range: `bytes=${from}-` } } : {});
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      if (pieces.length === 0) firstByteMs = Math.round(performance.now() - startedAt);
      pieces.push(piece);
      received += piece.byteLength;
      await onBytes(received);
    }
    isWhole = true;
  } catch {
    // The response has broken off, or there was none: the listener goes elsewhere.
    isWhole = false;
  }
  return { bytes: Buffer.concat(pieces), isWhole, firstByteMs };
};
