import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { recordOperation } from '@continuo/contracts';
import * as library from '@continuo/operations';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWorld, type PageBrowser } from '../../../test/account-page/page-world.fixture.js';
import { BACKUP, writeBackup } from '../../../test/manage/managed-gateway.js';

let folder: string;
let world: PageWorld;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-page-backups-'));
  await writeBackup(folder);
  // The session of operators is for databases and streams, which a download does not read.
  world = await PageWorld.start({
    settings: { BACKUP_FOLDER: folder },
    operations: { open: async () => ({ library, session: {} as never }) },
  });
  world.commands.handle(recordOperation, async () => ({ result: {}, positions: [] }));
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

const asked = async (browser: PageBrowser, fields: Record<string, string> = {}, headers: Record<string, string> = {}) => {
  const { statusCode, headers: given } = await browser.post('/account/backup', { id: BACKUP, ...fields }, headers);
  return [statusCode, given['content-type'] === 'application/octet-stream'];
};

describe('the form that saves a backup', () => {
  it('is answered with the backup to administrators, and put on record', async () => {
    const answer = await (await world.signedIn('ada')).post('/account/backup', { id: BACKUP });
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' } });
    expect(answer.headers['content-disposition']).toContain(`attachment; filename="${BACKUP}.tar"`);
    expect(answer.body).toContain(`${BACKUP}/manifest.json`);
    expect(world.commands.sent.map(({ message }) => message.data)).toEqual([
      { type: 'perform', operation: 'downloadBackup', target: BACKUP },
    ]);
  });

  it('is accepted only with the CSRF token of its own session, and from this origin', async () => {
    const [ada, bob] = [await world.signedIn('ada'), await world.signedIn('bob')];
    for (const mark of ['', 'a'.repeat(64), bob.mark]) expect(await asked(ada, { mark })).toEqual([403, false]);
    expect(await asked(ada, {}, { 'sec-fetch-site': 'cross-site' })).toEqual([403, false]);
    expect((await ada.get(`/account/backup?id=${BACKUP}&mark=${ada.mark}`)).statusCode).toBe(404);
  });

  it('is for administrators whom the access list admits to the APIs', async () => {
    expect(await asked(world.browser())).toEqual([303, false]);
    expect(await asked(await world.signedIn('bob'))).toEqual([403, false]);
    const ada = await world.signedIn('ada');
    const rules = world.accessRules;
    world.accessRules = rules.filter(({ type }) => type !== 'rpc');
    await world.change(1, {});
    expect(await asked(ada)).toEqual([403, false]);
    world.accessRules = rules;
    await world.change(1, {});
    expect(await asked(ada)).toEqual([200, true]);
  });

  it('opens nothing that is no whole backup', async () => {
    const ada = await world.signedIn('ada');
    for (const id of ['', '..', `../${BACKUP}`, 'continuo-2026-11-23T02-00-00Z']) expect(await asked(ada, { id })).toEqual([400, false]);
  });
});
