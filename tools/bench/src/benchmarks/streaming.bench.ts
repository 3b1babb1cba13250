import { join } from 'node:path';
import { makeTone } from '@continuo/media-fixtures';
import { newCatalog, scanCatalog } from '../harness/library.js';
import { NativeClient } from '../harness/native-client.js';
import { startPlainFileServer } from '../harness/plain-file-server.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { HttpProbe } from '../measure/http.js';
import type { Measurement } from '../measure/report.js';
import { median, timed } from '../measure/stats.js';

/** 20 minutes of uncompressed stereo: about 211 MB. */
const SECONDS = 1200;
const ROUNDS = 7;
const PARALLEL = 4;

/** Bytes per second of one round of parallel downloads. @throws Error when an answer is not a whole file. */
const round = async (probe: HttpProbe, path: string, parallel: number): Promise<number> => {
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: parallel }, () => probe.get(path)));
  const bad = answers.find(({ status, bodyBytes }) => status !== 200 || bodyBytes < SECONDS * 100_000);
  if (bad) throw new Error(`${path} answered ${bad.status} with ${bad.bodyBytes} bytes: ${bad.head.slice(0, 200)}`);
  return answers.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0) / ((performance.now() - started) / 1000);
};

/** Downloads from both in turn, so that both meet the same machine. */
const compare = async (
  ours: readonly [HttpProbe, string],
  plain: readonly [HttpProbe, string],
  parallel: number,
): Promise<Measurement[]> => {
  const [own, bare]: [number[], number[]] = [[], []];
  for (let n = -1; n < ROUNDS; n += 1) {
    const rates = [await round(...ours, parallel), await round(...plain, parallel)] as const;
    if (n < 0) continue;
    own.push(rates[0]);
    bare.push(rates[1]);
  }
  const label = `original, ${parallel} at once`;
  return [
    { what: `${label}, against a bare file server`, value: (100 * median(own)) / median(bare), unit: '%', budget: { atLeast: 80 } },
    { what: label, value: (median(own) * 8) / 1e9, unit: 'Gbit/s', note: `bare ${((median(bare) * 8) / 1e9).toFixed(2)}` },
  ];
};

interface SongUrl {
  readonly url: string;
}

/** Streams a large original through the server and through the plainest file server, in the same run. */
export const measureStreaming = async (server: StandaloneProcess, workFolder: string): Promise<Measurement[]> => {
  const file = await makeTone(join(workFolder, 'long'), 'Long', SECONDS);
  const catalogId = await newCatalog(server.session, 'Long', join(workFolder, 'long'));
  await scanCatalog(server.session, catalogId);
  const row = await server.session.db.selectFrom('library.song').select('id').where('catalog_id', '=', catalogId).executeTakeFirstOrThrow();
  const native = await NativeClient.login(server);
  const plain = await startPlainFileServer(file);
  const bare = new HttpProbe(plain.url);
  try {
    const { url } = await native.json<SongUrl>('song', { filter: row.id });
    const path = new URL(url).pathname + new URL(url).search;
    const seek = await timed(() => native.http.get(path, { headers: { range: 'bytes=100000000-100065535' } }), { times: 50, warmUps: 5 });
    return [
      ...(await compare([native.http, path], [bare, '/'], 1)),
      ...(await compare([native.http, path], [bare, '/'], PARALLEL)),
      { what: 'seek into an original (64 KB), p95', value: seek.p95, unit: 'ms' },
    ];
  } finally {
    native.close();
    bare.close();
    await plain.stop();
  }
};
