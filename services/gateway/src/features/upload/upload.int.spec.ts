import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { builtInPreferences, Rejection, songId, takeInUpload, UPLOAD_FOLDER, type takeInUpload as TakeIn } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { expectGolden } from '../../../test/goldens/golden.js';
import { maintenanceCommands } from '../../../test/fakes/maintenance-commands.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import {
  fixedAuth,
  seedTestAccounts,
  startTestGateway,
  testAccounts,
  type TestAccount,
  type TestGateway,
} from '../../../test/servers/test-gateway.js';

type TakenIn = z.output<typeof TakeIn.schema>;

const guest: TestAccount = { id: 3, username: 'guest', access: 5, token: 'guest-token' };
const { listener } = testAccounts;

let model: TestReadModel;
let commands: InMemoryCommandClient;
let gateway: TestGateway;
let root: string;
let base: string;
/** Received command, with the bytes of the staged file. */
let taken: { data: TakenIn; bytes: string }[] = [];
let answer: (data: TakenIn) => void = () => undefined;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
});
afterAll(() => model.close());

const prefer = async (values: Readonly<Record<string, string>>): Promise<void> => {
  await sql`delete from social.user_preference`.execute(model.write);
  for (const [name, value] of Object.entries(values)) {
    const id = builtInPreferences.find((one) => one.name === name)?.id;
    await sql`insert into social.user_preference (user_id, preference_id, value) values (0, ${id}, ${value})`.execute(model.write);
  }
};

const start = async (settings: Record<string, unknown> = {}): Promise<void> => {
  commands = maintenanceCommands().handle(takeInUpload, async ({ data }) => {
    taken.push({ data, bytes: await readFile(join(root, UPLOAD_FOLDER, data.staged), 'latin1') });
    answer(data);
    await rm(join(root, UPLOAD_FOLDER, data.staged));
    return { result: { songId: songId.parse(7), path: data.fileName }, positions: [] };
  });
  const auth = fixedAuth([...Object.values(testAccounts), guest]);
  gateway = await startTestGateway(model.read, {
    auth,
    commands,
    settings: { UPLOAD_KEEP_FREE_BYTES: 0, HTTP_REQUEST_TIMEOUT_MS: 400, UPLOAD_MAX_BYTES: 100_000, ...settings },
  });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}`;
};
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-upload-')));
  await sql`update library.catalog set path = ${root} where id = 1`.execute(model.write);
  await prefer({ allow_upload: '1', upload_catalog: '1' });
  taken = [];
  answer = () => undefined;
  await start();
});
afterEach(async () => {
  await gateway.stop();
  await rm(root, { recursive: true, force: true });
});

const form = (
  fields: Readonly<Record<string, string>>,
  file?: { name: string; bytes: string },
  behind: Readonly<Record<string, string>> = {},
) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  if (file) body.append('upl', new Blob([file.bytes]), file.name);
  for (const [name, value] of Object.entries(behind)) body.append(name, value);
  return body;
};

interface Answer {
  readonly success?: string;
  readonly error?: { readonly errorCode: string; readonly errorType: string; readonly errorMessage: string };
}

const send = async (query: string, init: RequestInit, token: string = listener.token): Promise<string> => {
  const url = query.startsWith('/') ? query : `/server/json.server.php?action=upload&version=8.0.0${query}`;
  const response = await fetch(`${base}${url}`, {
    method: 'POST',
    ...init,
    headers: { ...(init.headers as Record<string, string> | undefined), authorization: `Bearer ${token}` },
  });
  const { success, error } = (await response.json()) as Answer;
  return success ?? `${error?.errorCode} ${error?.errorType}: ${error?.errorMessage}`;
};
const waiting = async (): Promise<string[]> => readdir(join(root, UPLOAD_FOLDER)).catch(() => []);
const file = { name: 'song.mp3', bytes: 'the bytes' };

describe('a file', () => {
  it('comes as part of a form, with words before and behind it', async () => {
    expect(await send('', { body: form({ artist_name: 'Ada' }, file, { album_name: 'First' }) })).toBe('file uploaded');
    expect(taken).toMatchObject([
      {
        bytes: 'the bytes',
        data: {
          catalogId: 1,
          fileName: 'song.mp3',
          subfolder: 'listener',
          tags: { artist: 'Ada', albumArtist: 'Ada', album: 'First' },
        },
      },
    ]);
    expect(await waiting()).toEqual([]);
  });
  it('comes as the body, whatever that claims to be', async () => {
    for (const type of ['application/octet-stream', 'audio/mpeg', 'application/x-www-form-urlencoded', 'application/json']) {
      expect(await send('&filename=x.mp3', { body: 'raw=bytes&more', headers: { 'content-type': type } })).toBe('file uploaded');
    }
    expect(taken.map(({ bytes, data }) => [bytes, data.fileName])).toEqual(Array.from({ length: 4 }, () => ['raw=bytes&more', 'x.mp3']));
  });
  it('comes over the REST form', async () => {
    expect(await send('/rest/8/json/upload?filename=x.mp3', { body: 'raw' })).toBe('file uploaded');
    expect(await send('/rest/8/json/upload', { body: form({ filename: 'named.mp3' }, file) })).toBe('file uploaded');
    expect(taken.map(({ data }) => data.fileName)).toEqual(['x.mp3', 'named.mp3']);
  });
  it('may take longer than any other body, as long as it keeps coming', async () => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const sending = send('&filename=x.mp3', { body: readable, duplex: 'half' });
    const writer = writable.getWriter();
    for (let at = 0; at < 8; at += 1) {
      await writer.write(Buffer.from('0123456789'));
      await delay(150);
    }
    await writer.close();
    expect(await sending).toBe('file uploaded');
    expect(taken[0]?.bytes).toHaveLength(80);
  });
});

describe('the answer', () => {
  it.each(['json', 'xml'] as const)('is the one of version 8 in %s', async (format) => {
    const response = await fetch(`${base}/server/${format}.server.php?action=upload&version=8.0.0`, {
      method: 'POST',
      body: form({}, file),
      headers: { authorization: `Bearer ${listener.token}` },
    });
    expectGolden('native', 'upload (file)', { format, variant: 8 }, await response.text());
  });
});

describe('what is refused', () => {
  const refused = (init: RequestInit, query = '', token?: string) => send(query, init, token);

  it('where uploads are off, for whom they are, and without a catalog for them', async () => {
    await prefer({ upload_catalog: '1' });
    await gateway.stop();
    await start();
    expect(await refused({ body: form({}, file) })).toBe('4703 system: Enable: allow_upload');
    for (const [preference, token, fault] of [
      [{ allow_upload: '1' }, listener.token, '4703 system: Enable: upload_catalog'],
      [{ allow_upload: '1', upload_catalog: '99' }, listener.token, '4703 system: Enable: upload_catalog'],
      [{ allow_upload: '1', upload_catalog: '1', upload_access_level: '75' }, listener.token, '4742 account: '],
      [{ allow_upload: '1', upload_catalog: '1' }, guest.token, '4742 account: '],
      [{ allow_upload: '1', upload_catalog: '1' }, 'nobody', '4701 account: '],
    ] as const) {
      await prefer(preference);
      await gateway.stop();
      await start();
      expect(await refused({ body: form({}, file) }, '', token)).toContain(fault);
    }
    expect(taken).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
  it('without a file, or a name', async () => {
    expect(await refused({ body: form({ filename: 'x.mp3' }) })).toBe('4710 system: Bad Request: upl is missing');
    expect(await refused({ body: 'raw' })).toBe('4710 system: Bad Request: filename is missing');
    expect(await refused({ body: 'raw' }, `&filename=${'x'.repeat(300)}.mp3`)).toContain('4710 filename');
    expect(
      await refused({ body: new URLSearchParams({ filename: 'x.mp3' }) }, '/server/json.server.php?action=ping&version=8.0.0'),
    ).toBeDefined();
    const response = await fetch(`${base}/server/json.server.php?action=upload&version=8.0.0&filename=x.mp3`, {
      headers: { authorization: `Bearer ${listener.token}` },
    });
    expect(await response.json()).toMatchObject({ error: { errorCode: '4710' } });
    expect(await waiting()).toEqual([]);
  });
  it('with things that are none, or that the caller does not see', async () => {
    for (const words of ['artist_id=9999', 'album_id=9999', 'license=9999', 'artist_id=x'])
      expect(await refused({ body: form({}, file) }, `&${words}`)).toMatch(new RegExp(`^4710 ${words.split('=')[0]}`));
    expect(await refused({ body: form({}, file, { artist_id: '9999' }) })).toContain('4710 artist_id');
    expect(taken).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
  it('when it is too large, whether that is announced or not', async () => {
    const large = 'x'.repeat(200_000);
    expect(await refused({ body: form({}, { name: 'x.mp3', bytes: large }) })).toContain(
      '4710 upl: Bad Request: upl: files may have up to 100000',
    );
    const stream = new Blob([large]).stream();
    expect(await refused({ body: stream, duplex: 'half' }, '&filename=x.mp3')).toContain('4710 upl');
    expect(await waiting()).toEqual([]);
  });
  it('when its worker refuses it', async () => {
    answer = () => {
      throw new Rejection('upload.refused', 'this is no music');
    };
    expect(await refused({ body: form({}, file) })).toBe('4710 upl: Bad Request: this is no music');
    expect(await waiting()).toEqual([]);
  });
  it('when there is no room, or the folder of the catalog is gone', async () => {
    await gateway.stop();
    await start({ UPLOAD_KEEP_FREE_BYTES: Number.MAX_SAFE_INTEGER });
    expect(await refused({ body: form({}, file) })).toContain('4702 system');
    await sql`update library.catalog set path = '/nowhere/at/all' where id = 1`.execute(model.write);
    expect(await refused({ body: form({}, file) })).toContain('4710 path');
    expect(taken).toEqual([]);
  });
  it('where the folder for it is a link to somewhere else', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'continuo-elsewhere-'));
    await symlink(elsewhere, join(root, UPLOAD_FOLDER));
    expect(await refused({ body: form({}, file) })).toContain('4702 system');
    expect(await readdir(elsewhere)).toEqual([]);
    await rm(elsewhere, { recursive: true });
  });
  it('in older versions, and by HEAD', async () => {
    const response = await fetch(`${base}/server/json.server.php?action=upload&version=6.0.0`, {
      method: 'POST',
      body: form({}, file),
      headers: { authorization: `Bearer ${listener.token}` },
    });
    expect(await response.json()).toMatchObject({ error: { errorCode: '4705' } });
    expect(taken).toEqual([]);
  });
});

describe('a client that goes away', () => {
  it('leaves nothing behind', async () => {
    await mkdir(join(root, UPLOAD_FOLDER), { recursive: true });
    const going = httpRequest(`${base}/server/json.server.php?action=upload&version=8.0.0&filename=x.mp3`, {
      method: 'POST',
      headers: { authorization: `Bearer ${listener.token}`, 'content-length': '5000' },
    });
    going.on('error', () => undefined);
    going.write('only this');
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1);
    going.destroy();
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(0);
    expect(taken).toEqual([]);
  });
  it('or stops sending, is given up', async () => {
    const silent = connect((gateway.app.server.address() as AddressInfo).port, '127.0.0.1');
    let received = '';
    silent.on('data', (chunk) => (received += String(chunk)));
    silent.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => silent.once('close', () => resolve()));
    silent.write(
      `POST /server/json.server.php?action=upload&version=8.0.0&filename=x.mp3 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${listener.token}\r\nContent-Length: 500\r\n\r\nhalf`,
    );
    await closed;
    expect(received).toContain('408');
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(0);
  });
  it('or sends another body too slowly, is given up too', async () => {
    const slow = connect((gateway.app.server.address() as AddressInfo).port, '127.0.0.1');
    slow.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => slow.once('close', () => resolve()));
    slow.resume();
    slow.write('POST /server/json.server.php HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{');
    const dripping = setInterval(() => slow.write(' '), 50);
    await closed;
    clearInterval(dripping);
  });
});

/** Only root may mount a small disk; elsewhere this is reported as skipped. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

describe('a disk that is full', () => {
  it.skipIf(!mayMount)('refuses the file in the middle, and keeps nothing of it', async () => {
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', root]);
    try {
      const stream = new Blob(['x'.repeat(90_000)]).stream();
      const refusal = await send('&filename=x.mp3', { body: stream, duplex: 'half' });
      expect(refusal).toMatch(/^4702 system: .*room/);
      expect(await waiting()).toEqual([]);
      expect(taken).toEqual([]);
    } finally {
      await promisify(execFile)('umount', ['-l', root]);
    }
  });
});
