import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { LONG, WebPageWorld } from './listener.js';

const PREFIX = '/some/music';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('the web page below a path of a proxy', () => {
  let proxy: Server;
  let world: WebPageWorld;
  /** Addresses outside that path that the proxy was asked for. */
  const strays: string[] = [];

  beforeAll(async () => {
    proxy = createServer((incoming, outgoing) => {
      const { method, headers, url = '' } = incoming;
      if (!url.startsWith(`${PREFIX}/`)) {
        strays.push(url);
        outgoing.writeHead(404).end();
        return;
      }
      const asked = request(new URL(url.slice(PREFIX.length), world.journey.server.url), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      asked.on('error', () => outgoing.destroy());
      outgoing.on('close', () => asked.destroy());
      incoming.pipe(asked);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    world = await WebPageWorld.start({ PUBLIC_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PREFIX}` });
  });
  afterAll(async () => {
    await world.end();
    proxy.closeAllConnections();
    proxy.close();
  });

  it('signs in, shows a view, plays and signs out without leaving the path', async () => {
    const listener = await world.visit();
    await listener.open(`/search?words=${encodeURIComponent(LONG.title)}`);
    await listener.signIn();
    await listener.main.getByRole('button', { name: LONG.title, exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.3);
    expect(new URL(listener.page.url()).pathname).toBe(`${PREFIX}/`);
    await listener.page.getByRole('button', { name: 'Sign out' }).click();
    await listener.page.getByText('You are signed out.').waitFor();
    expect(strays.filter((url) => url !== '/favicon.ico')).toEqual([]);
    expect(listener.complaints()).toEqual([]);
    expect(listener.elsewhere()).toEqual([]);
    await listener.leave();
  });
});
