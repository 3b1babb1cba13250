import { requestRebuild } from '@continuo/operations';
import { NativeClient } from '../harness/native-client.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import type { Measurement } from '../measure/report.js';
import { summarise, timed, type Summary } from '../measure/stats.js';

/** Songs that are added at a time, and how often until the list is long. */
const RUN = 500;
const RUNS_TO_LONG = 100;
const LONG = RUN * RUNS_TO_LONG;
const PAGES = { times: 30, warmUps: 3 };
const EDITS = { times: 20, warmUps: 2 };
const PAGE_BUDGET_MS = 50;
const EDIT_BUDGET_MS = 500;

const made = async (native: NativeClient, name: string): Promise<string> =>
  (await native.json<{ id: string }>('playlist_create', { name, type: 'public' })).id;

/** A list of some songs from one on, wrapped around the end of the library. */
const listOf = async (native: NativeClient, name: string, first: number, songs: number): Promise<string> => {
  const id = await made(native, name);
  const places = Array.from({ length: RUN }, (_, index) => index + 1);
  const items = places.map((place) => 1 + ((first + place) % songs)).join(',');
  await native.call('playlist_edit', { filter: id, items, tracks: places.join(',') });
  return id;
};

/** Adds the lists one after the other to a long one; the time of each until it can be read. */
const append = async (native: NativeClient, long: string, lists: readonly string[]): Promise<number[]> => {
  const times: number[] = [];
  for (const list of lists) {
    const started = performance.now();
    await native.call('playlist_add', { filter: long, id: list, object_type: 'playlist' });
    times.push(performance.now() - started);
  }
  return times;
};

const page = (what: string, { p50, p95 }: Summary): Measurement => ({
  what: `${what}, p95`,
  value: p95,
  unit: 'ms',
  budget: { atMost: PAGE_BUDGET_MS },
  note: `p50 ${p50.toFixed(1)}`,
});
const edit = (what: string, { p50, p95 }: Summary): Measurement => ({
  what: `${what}, p50`,
  value: p50,
  unit: 'ms',
  budget: { atMost: EDIT_BUDGET_MS },
  note: `p95 ${p95.toFixed(1)}`,
});

const readings = async (native: NativeClient, long: string): Promise<Measurement[]> => {
  const songs = (offset: number) => () => native.call('playlist_songs', { filter: long, limit: RUN, offset });
  return [
    page(`first page of ${RUN} of a long list`, await timed(songs(0), PAGES)),
    page('its last page', await timed(songs(2 * LONG - RUN), PAGES)),
    page('the list itself', await timed(() => native.call('playlist', { filter: long }), PAGES)),
    page('its hash', await timed(() => native.call('playlist_hash', { filter: long }), PAGES)),
    page('all lists, a page of 5000', await timed(() => native.call('playlists'), PAGES)),
    edit(
      'the list with its songs in `playlists`',
      await timed(() => native.call('playlists', { include: 1, filter: 'bench long' }), EDITS),
    ),
  ];
};

/** Changes a list, then reads its last page, which nothing has been kept of. */
const changes = async (native: NativeClient, long: string): Promise<Measurement[]> => {
  const last = () => native.call('playlist_songs', { filter: long, limit: RUN, offset: 2 * LONG - 2 * RUN });
  const remove = async () => native.call('playlist_remove', { filter: long, track: LONG });
  const place = (round: number) => native.call('playlist_edit', { filter: long, items: 7 + Math.abs(round), tracks: LONG + 1 + round });
  const afterwards = async (): Promise<number> => {
    await remove();
    const started = performance.now();
    await last();
    return performance.now() - started;
  };
  const cold: number[] = [];
  for (let time = 0; time < EDITS.times; time += 1) cold.push(await afterwards());
  const sort = async () => {
    const started = performance.now();
    await native.call('playlist_edit', { filter: long, sort: 1 });
    return performance.now() - started;
  };
  return [
    edit('removing a song in the middle', await timed(remove, EDITS)),
    edit('putting another song in the middle', await timed(place, EDITS)),
    edit('the last page right after a change', summarise(cold)),
    { what: 'ordering the whole list', value: await sort(), unit: 'ms' },
    { what: 'ordering it again, which changes nothing', value: await sort(), unit: 'ms' },
  ];
};

/** Measures a playlist of a hundred thousand songs: growing, paging, changing in the middle, being ordered. */
export const measurePlaylists = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const native = await NativeClient.login(server);
  try {
    const lists: string[] = [];
    for (let run = 0; run < RUNS_TO_LONG; run += 1) lists.push(await listOf(native, `bench ${run}`, run * RUN, songs));
    const long = await made(native, 'bench long');
    const first = summarise(await append(native, long, lists));
    const then = summarise(await append(native, long, lists));
    const measurements: Measurement[] = [
      edit(`adding ${RUN} songs, ${RUNS_TO_LONG} times, from nothing`, first),
      edit(`adding ${RUN} songs, ${RUNS_TO_LONG} times, to ${LONG}`, then),
      { what: 'the same, slowest', value: then.max, unit: 'ms', note: `${(then.p50 / first.p50).toFixed(2)} × p50 of an empty list` },
      ...(await readings(native, long)),
      ...(await changes(native, long)),
    ];
    const report = await requestRebuild(server.session, 'library-playlists', { mode: 'verify' });
    return [
      ...measurements,
      { what: 'rebuild of library-playlists with comparison', value: report.durationMs / 1000, unit: 's' },
      { what: 'tables that differ after it', value: report.differing.length, unit: 'tables', budget: { atMost: 0 } },
    ];
  } finally {
    native.close();
  }
};
