import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SubsonicAPI } from 'subsonic-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { administrator, Journey } from './journey.js';

/** Of this machine, but not where the server listens, so that it can be allowed alone. */
const ELSEWHERE = '127.0.0.5';
const SOON = { timeout: 15_000, interval: 50 };
const RECORDING = '8f3471b5-7e6a-48da-86a9-c1c07a0f47ae';
const { name: username, password } = administrator;

let journey: Journey;
let service: Server;
let status = 200;
const told: { readonly path: string; readonly authorization: string | undefined; readonly body: Record<string, unknown> }[] = [];

/** A song of forty seconds, with tags. */
const makeSong = async (title: string): Promise<void> => {
  await mkdir(journey.music, { recursive: true });
  const tags = { title, artist: 'Somebody', album: 'Silence', track: '3', MUSICBRAINZ_TRACKID: RECORDING };
  const metadata = Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
  const source = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '40'];
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...source, ...metadata, join(journey.music, `${title}.flac`)]);
};

const form = async (page: string, fields: Record<string, string>, cookie: string): Promise<Response> =>
  fetch(`${journey.server.url}/account/${page}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams(fields),
  });
const markIn = (text: string): string => /name="mark"\s+value="(?<mark>[0-9a-f]+)"/.exec(text)?.groups?.['mark'] ?? '';
const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

beforeAll(async () => {
  journey = await Journey.prepare();
  for (const title of ['One', 'Two']) await makeSong(title);
  service = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      if (path === '/1/validate-token')
        return response.end(JSON.stringify({ valid: headers.authorization === 'Token mine', user_name: 'me-there' }));
      if (status === 200) told.push({ path, authorization: headers.authorization, body: JSON.parse(text) as Record<string, unknown> });
      return response.writeHead(status).end('{"status":"ok"}');
    });
  });
  await new Promise<void>((resolve) => service.listen(0, ELSEWHERE, resolve));
  const { port } = service.address() as AddressInfo;
  await journey.start({
    OUTBOUND_ALLOWED_NETWORKS: ELSEWHERE,
    LISTENBRAINZ_API_URL: `http://${ELSEWHERE}:${port}`,
    RELAY_FIRST_RETRY_MS: '200',
  });
  await journey.scan();
}, 120_000);
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await journey.end();
}, 60_000);

describe('what somebody plays', () => {
  it('is told to the service that they connect on their page, again after it was away, and so are favourites', async () => {
    const login = await fetch(`${journey.server.url}/account/login`);
    const signedIn = await form('login', { mark: markIn(await login.text()), username, password }, cookieOf(login));
    const cookie = cookieOf(signedIn);
    const page = async (): Promise<string> => (await fetch(`${journey.server.url}/account/me`, { headers: { cookie } })).text();
    const mark = markIn(await page());
    expect((await form('relay-listenbrainz', { mark, token: 'not mine' }, cookie)).status).toBe(400);
    expect((await form('relay-listenbrainz', { mark, token: 'mine' }, cookie)).headers.get('location')).toBe('me?done=relay-linked');

    const player = new SubsonicAPI({ url: journey.server.url, auth: { username, password } });
    const { searchResult3 } = await player.search3({ query: '""', songCount: 5 });
    const songs = (searchResult3.song ?? []).toSorted((one, other) => one.title.localeCompare(other.title));
    const [one, two] = [songs[0]?.id ?? '', songs[1]?.id ?? ''];
    await player.scrobble({ id: one, submission: false });
    await vi.waitFor(() => expect(told.map(({ body }) => body['listen_type'])).toEqual(['playing_now']), SOON);
    status = 503;
    await player.scrobble({ id: one });
    await vi.waitFor(async () => expect(await page()).toContain('it answered 503'), SOON);
    await player.scrobble({ id: two });
    await player.star({ id: two });
    status = 200;
    await vi.waitFor(() => expect(told).toHaveLength(3), SOON);
    const [, plays, favourite] = told;
    expect(plays).toMatchObject({ authorization: 'Token mine', body: { listen_type: 'import' } });
    expect(plays?.body['payload']).toMatchObject(
      ['One', 'Two'].map((title) => ({
        track_metadata: {
          track_name: title,
          artist_name: 'Somebody',
          release_name: 'Silence',
          additional_info: { recording_mbid: RECORDING, submission_client: 'continuo' },
        },
      })),
    );
    expect(favourite).toMatchObject({ path: '/1/feedback/recording-feedback', body: { recording_mbid: RECORDING, score: 1 } });
    await vi.waitFor(async () => expect(await page()).toContain('2 plays, the latest at'), SOON);
    expect((await form('relay-unlink', { mark, service: 'listenbrainz' }, cookie)).headers.get('location')).toBe('me?done=relay-unlink');
  });
});
