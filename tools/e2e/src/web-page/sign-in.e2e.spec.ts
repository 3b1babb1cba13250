import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { administrator } from '../journey.js';
import { WebPageWorld } from './listener.js';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('the web page', () => {
  let world: WebPageWorld;
  beforeAll(async () => {
    world = await WebPageWorld.start();
  });
  afterAll(() => world.end());

  it('lets somebody sign in who followed a deep link, shows what the link meant, and is left by signing out', async () => {
    const [song] = await world.songs();
    const listener = await world.visit();
    await listener.open(`/albums/${song?.album.id}`);
    await listener.page.fill('input[name=username]', administrator.name);
    await listener.page.fill('input[name=password]', 'wrong');
    await listener.page.keyboard.press('Enter');
    await listener.page.getByRole('alert').waitFor();
    await listener.signIn();
    await listener.main.getByRole('heading', { name: song?.album.name ?? '', exact: true }).waitFor();
    expect(new URL(listener.page.url()).pathname + new URL(listener.page.url()).hash).toBe(`/#/albums/${song?.album.id}`);

    // What a script could read or a log could hold: no credential.
    expect(await listener.page.evaluate('document.cookie')).toBe('');
    const kept = String(await listener.page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'));
    expect(kept).not.toMatch(/\ba-[0-9a-f]{64}-/);
    expect(listener.tab.requests.filter((url) => /a-[0-9a-f]{64}-/.test(url))).toEqual([]);
    const [cookie] = await listener.page.context().cookies();
    expect(cookie).toMatchObject({ name: 'continuo', httpOnly: true, sameSite: 'Lax' });

    const tokens: string[] = [];
    listener.page.on('request', (request) => void tokens.push(request.headers()['authorization'] ?? ''));
    await listener.page.getByRole('link', { name: 'Albums' }).click();
    await expect.poll(() => tokens.find((token) => token.startsWith('Bearer a-'))).toBeDefined();
    await listener.page.getByRole('button', { name: 'Sign out' }).click();
    await listener.page.getByText('You are signed out.').waitFor();
    const headers = { authorization: tokens.find((token) => token.startsWith('Bearer a-')) ?? '' };
    expect(await (await fetch(`${world.url}/rest/8/json/user`, { headers })).json()).toMatchObject({ error: { errorCode: '4701' } });
    await listener.open('/albums');
    await listener.page.locator('input[name=password]').waitFor();
    await listener.signIn();
    expect(new URL(listener.page.url()).hash).toBe('#/albums');
    expect(listener.complaints()).toEqual([]);
    expect(listener.elsewhere()).toEqual([]);
    await listener.leave();
  });

  it('sends to the sign-in page when the session has ended elsewhere', async () => {
    const listener = await world.signedIn();
    await listener.page.context().request.post(`${world.url}/account/logout`);
    await listener.page.context().clearCookies();
    await listener.page.reload();
    await listener.page.locator('input[name=password]').waitFor();
    await listener.leave();
  });

  it('says that the server is away, and goes on when it is back', async () => {
    const listener = await world.signedIn();
    await listener.page.getByRole('link', { name: 'Albums' }).click();
    await listener.main.getByRole('heading', { name: 'Albums', level: 1 }).waitFor();
    await world.stopServer();
    await listener.page.getByRole('link', { name: 'Artists' }).click();
    const told = listener.main.getByRole('alert').getByText('The server does not answer.');
    await told.waitFor();
    // It stays where it is: the browser would have nothing to show in its place.
    await listener.main.getByRole('button', { name: 'Try again' }).click();
    await told.waitFor();
    await world.startAgain();
    await listener.main.getByRole('button', { name: 'Try again' }).click();
    await told.waitFor({ state: 'detached' });
    await listener.main.getByRole('link').first().waitFor();
    await listener.leave();
  });
});
