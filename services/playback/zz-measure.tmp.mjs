// One-off measurement (not committed).
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpointReader, NatsProjectionWatch, startService } from '@continuo/chassis';
import { recordPlays } from '@continuo/contracts';
import { startNats, startPostgres } from '@continuo/local-servers';
import { playbackService } from './dist/playback.service.js';
const home = await mkdtemp(join(tmpdir(), 'continuo-measure-'));
await (await import('node:fs/promises')).chmod(home, 0o755);
const mode = process.argv[2];
let nats = await startNats({ storeDir: join(home, 'nats') });
const pg = await startPostgres({ dataDir: join(home, 'pg'), databases: ['continuo'] });
const env = { DATABASE_URL: pg.url ?? pg.urlOf('continuo'), NATS_URL: nats.url, CONTINUO_SECRET: 'x'.repeat(32), LOG_LEVEL: 'fatal' };
const service = await startService(playbackService, env);
const caller = await startService({ ...playbackService, name: 'caller', contexts: [], projections: undefined, module: undefined, schema: undefined, migrations: [] }, env);
const watch = new NatsProjectionWatch(caller.deps.nats, checkpointReader(caller.deps.db), caller.deps.log);
const context = { actor: 'user:3', correlationId: 'm', causationId: 'm' };
const pct = (a, p) => a[Math.min(a.length - 1, Math.floor(a.length * p))].toFixed(2);
let n = 0;
const one = async (wait = true) => {
  const t0 = performance.now();
  n += 1;
  const { positions } = await caller.deps.commands.send(recordPlays, { userId: 1 + (n % 50), client: 'm', plays: [{ songId: 1 + (n % 100), playedAtMs: 1_700_000_000_000 + n }] }, context, { commandId: randomUUID() });
  const t1 = performance.now();
  if (wait && !(await watch.waitFor(positions, 5000))) throw new Error('not readable');
  return [t1 - t0, performance.now() - t0];
};
try {
  if (mode === 'idle') {
    for (let i = 0; i < 200; i += 1) await one();
    const a = [], r = [];
    for (let i = 0; i < 2000; i += 1) { const [x, y] = await one(); a.push(x); r.push(y); }
    a.sort((x, y) => x - y); r.sort((x, y) => x - y);
    console.log(`answered p50 ${pct(a, .5)} p95 ${pct(a, .95)} p99 ${pct(a, .99)}; readable p50 ${pct(r, .5)} p95 ${pct(r, .95)} p99 ${pct(r, .99)} max ${pct(r, 1)}`);
  } else {
    for (let i = 0; i < 50; i += 1) await one();
    for (let round = 0; round < 8; round += 1) {
      const flights = Array.from({ length: 30 }, () => ({}));
      const run = flights.map(async (f, i) => { await new Promise((r) => setTimeout(r, i)); f.t0 = performance.now(); await one(false).then(() => (f.ok = true), (e) => (f.err = e.code ?? e.message)); f.t1 = performance.now(); });
      await new Promise((r) => setTimeout(r, 8 + round * 2));
      const port = nats.port;
      const k0 = performance.now();
      await nats.kill();
      nats = await startNats({ storeDir: join(home, 'nats'), port });
      const up = performance.now();
      await Promise.all(run);
      const hit = flights.filter((f) => f.t1 > k0);
      const after = hit.map((f) => f.t1 - up).sort((x, y) => x - y);
      console.log(`round ${round}: NATS down ${(up - k0).toFixed(0)} ms; ${hit.length} in flight, failed ${flights.filter((f) => f.err).map((f) => f.err).join(',') || 0}; answered after it was up: first ${pct(after, 0)} p50 ${pct(after, .5)} max ${pct(after, 1)} ms`);
      const w0 = performance.now(); let bad = 0; for (;;) { try { await one(); break; } catch { bad += 1; if (bad > 12) throw new Error('gave up'); } } console.log('readable again after', (performance.now() - w0).toFixed(0), 'ms');
    }
  }
} finally {
  await watch.stop(); await caller.stop(); await service.stop();
  await nats.stop(); await pg.stop(); await rm(home, { recursive: true, force: true });
}
