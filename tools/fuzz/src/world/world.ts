import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addCatalog, setPreference, startScan, type CatalogId } from '@continuo/contracts';
import type { Known } from '../generate/values.js';
import { makeAccounts, type FuzzAccounts } from './accounts.js';
import { writeLibrary } from './library.js';
import { givenOut } from './given-out.js';
import { keepPrivateThings, songIdsOf } from './private-things.js';
import { startServer, type FuzzedServer } from './server.js';
import { openTrap, type Trap } from './trap.js';

/** A server with a library, accounts, and things that must not be shown. */
export interface World {
  readonly server: FuzzedServer;
  readonly trap: Trap;
  readonly accounts: FuzzAccounts;
  readonly known: Known;
  /** Texts that may stand in no answer: where the server keeps its data, what it signs with. */
  readonly secrets: readonly string[];
  end(): Promise<void>;
}

const SCANNED_WITHIN_MS = 120_000;
const SEEN_WITHIN_MS = 30_000;

const addCatalogOf = async (
  { session }: FuzzedServer,
  name: string,
  path: string,
  gatherTypes: 'music' | 'podcast' = 'music',
): Promise<CatalogId> => (await session.commands.send(addCatalog, { name, path, gatherTypes }, session.context())).result.catalogId;

const addScanned = async (server: FuzzedServer, name: string, path: string): Promise<CatalogId> => {
  const { session } = server;
  const catalogId = await addCatalogOf(server, name, path);
  const { scanId } = (await session.commands.send(startScan, { catalogId }, session.context())).result;
  for (const until = Date.now() + SCANNED_WITHIN_MS; Date.now() < until; await delay(200)) {
    const scan = await session.db.selectFrom('ingestion.scan').select('state').where('id', '=', scanId).executeTakeFirst();
    if (scan && !['queued', 'running'].includes(scan.state)) return catalogId;
  }
  throw new Error(`the scan of ${name} did not end`);
};

const HIDDEN_SONGS = 6;

type SongIds = () => Promise<string[]>;

/** Song ids of the callers and of the onlooker as soon as they differ by the hidden songs: the callers' group is not in force at once. */
const untilHidden = async (ofCallers: SongIds, ofOnlooker: SongIds): Promise<{ seen: string[]; all: string[] }> => {
  for (const until = Date.now() + SEEN_WITHIN_MS; ; await delay(200)) {
    const [seen, all] = await Promise.all([ofCallers(), ofOnlooker()]).catch(() => [[], []]);
    if (seen.length > 0 && all.length === seen.length + HIDDEN_SONGS) return { seen, all };
    if (Date.now() > until) throw new Error(`callers see ${seen.length} of ${all.length} songs`);
  }
};

/** Lets everybody upload into the first catalog. */
const takeUploads = async ({ session }: FuzzedServer): Promise<void> => {
  for (const [name, value] of [
    ['allow_upload', '1'],
    ['upload_catalog', '1'],
    ['upload_access_level', '25'],
  ] as const)
    await session.commands.send(setPreference, { name, value, holder: 'everybody' }, session.context());
};

const HIGHEST_SMALL_ID = 30;

const knownOf = (hidden: readonly string[], seen: readonly string[], places: Pick<Known, 'addresses' | 'traps'>): Known => ({
  ...places,
  ids: [
    ...Array.from({ length: HIGHEST_SMALL_ID }, (_, index) => String(index + 1)),
    '257',
    '258',
    '513',
    '1025',
    ...hidden,
    // Songs have other numbers than what they are songs of.
    ...seen.filter((_, index) => index % 12 === 0),
  ],
  names: ['usual', 'hostile', 'fuzz-user', '<script>alert(1)</script>', 'Album 1', ']]>'],
  accounts: ['fuzz-guest', 'fuzz-user', 'fuzz-content', 'fuzz-catalog', 'fuzz-admin', 'onlooker', 'admin'],
  compatIds: [...hidden.map((id) => `so-${id}`), 'pl-1', 'pl-2', 'sh-1', 'sp-1', 'al-30', 'ar-30'],
});

/** Takes the world down when this process is told to end: no server may outlive its campaign. */
const endOnSignal = (end: () => Promise<void>): (() => void) => {
  const onSignal = (): void => void end().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  };
};

/** Makes a world below a temporary folder. @throws Error when it cannot be made; nothing is left then */
export const makeWorld = async (report: (line: string) => void = () => undefined): Promise<World> => {
  const root = await mkdtemp(join(tmpdir(), 'continuo-fuzz-'));
  const dataFolder = join(root, 'data');
  const trap = await openTrap();
  let server: FuzzedServer | undefined;
  const end = async (): Promise<void> => {
    forget();
    await server?.stop();
    await trap.close();
    await rm(root, { recursive: true, force: true });
  };
  const forget = endOnSignal(end);
  try {
    const folders = await writeLibrary(join(root, 'music'));
    report('the library is written');
    server = await startServer(dataFolder);
    report(`the server runs at ${server.url}`);
    const started = server;
    const seenCatalogs = [await addScanned(started, 'usual', folders.usual), await addScanned(started, 'hostile', folders.hostile)];
    await addScanned(started, 'kept away', folders.hidden);
    const talks = await addCatalogOf(started, 'talks', folders.talks, 'podcast');
    const accounts = await makeAccounts(started.session, [...seenCatalogs, talks]);
    const { seen, all } = await untilHidden(
      () => songIdsOf(started.url, accounts.callers.admin),
      () => songIdsOf(started.url, accounts.onlooker),
    );
    const hidden = all.filter((id) => !seen.includes(id));
    await takeUploads(started);
    const addresses = await givenOut(started.url, accounts.callers.content, seen[0] ?? '');
    await keepPrivateThings(started.url, accounts.onlooker, hidden);
    report(`${seen.length} songs are seen, ${hidden.length} are hidden, ${addresses.length} addresses were given out`);
    const secret = (await readFile(join(dataFolder, 'secret'), 'utf8').catch(() => '')).trim();
    const secrets = [
      dataFolder,
      ...(secret === '' ? [] : [secret]),
      started.session.access.databaseUrl,
      ...Object.values(accounts.callers).map(({ password }) => password),
    ];
    return { server, trap, accounts, known: knownOf(hidden, seen, { addresses, traps: trap.addresses }), secrets, end };
  } catch (error) {
    await end();
    throw error;
  }
};
