import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { LASTING, WebPageWorld } from './listener.js';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('the web page on two devices', () => {
  let world: WebPageWorld;
  beforeAll(async () => {
    world = await WebPageWorld.start();
  });
  afterAll(() => world.end());

  it('goes on at the same second on another device, which can take the sound over', async () => {
    const [desk, phone] = [await world.signedIn(), await world.signedIn({ width: 390, height: 844 })];
    const title = `${LASTING.album} 1`;
    await desk.turnTo(`/search?words=${encodeURIComponent(title)}`);
    await desk.main.getByRole('button', { name: title, exact: true }).click();
    await expect.poll(() => desk.position()).toBeGreaterThan(0.5);
    const slider = desk.player.getByRole('slider', { name: 'Position' });
    await slider.fill('20');
    await slider.blur();
    await expect.poll(() => desk.position()).toBeGreaterThan(20);

    // It may be told at the very moment in which somebody goes there, and then again after 15 s only.
    await expect.poll(async () => (await world.queue()).position_ms, { timeout: 10_000 }).toBeGreaterThanOrEqual(20_000);
    const moveHere = phone.player.getByRole('button', { name: 'Play here instead of on Chrome, Linux' });
    // Until then its buttons steer the desk.
    await moveHere.waitFor();
    await phone.player.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => desk.position(), { timeout: 10_000 }).toBeUndefined();
    await phone.player.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => desk.position(), { timeout: 10_000 }).toBeGreaterThan(20);
    await phone.player.getByRole('slider', { name: 'Position' }).fill('30');
    await phone.player.getByRole('slider', { name: 'Position' }).blur();
    await expect.poll(() => desk.position(), { timeout: 10_000 }).toBeGreaterThan(30);
    expect(await phone.position()).toBeUndefined();
    await moveHere.click();
    await expect.poll(() => phone.position(), { timeout: 10_000 }).toBeGreaterThan(30);
    // The desk hears of it, and is silent.
    await expect.poll(() => desk.position(), { timeout: 10_000 }).toBeUndefined();
    await phone.player.getByRole('link', { name: title, exact: true }).waitFor();

    const at = (await phone.position()) ?? 0;
    await phone.player.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => phone.position()).toBeUndefined();
    // The browser ends its pages without a word.
    await expect.poll(async () => (await world.queue()).context, { timeout: 10_000 }).toContain('"plays":false');
    expect((await world.queue()).position_ms).toBeGreaterThan(at * 1000 - 500);
    await phone.leave();
    await desk.leave();

    const other = await world.signedIn();
    await other.player.getByRole('link', { name: title, exact: true }).waitFor();
    await other.player.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => other.position()).toBeGreaterThan(at - 0.5);
    expect((await other.position()) ?? 0).toBeLessThan(at + 10);
    expect(other.complaints()).toEqual([]);
    await other.leave();
  });
});
