import { offerByApt } from './apt.mjs';

/** The path of a Firefox, as {@link offerBrowser} offers a Chromium. */
export const offerFirefox = async () =>
  process.env.FIREFOX_BIN ||
  offerByApt({
    names: ['firefox-esr', 'firefox'],
    aptPackage: 'firefox-esr',
    setting: 'CONTINUO_TEST_BROWSER',
    tests: 'that look at pages in another browser',
  });

/**
 * The path of a Chromium for the tests that look at pages; undefined where there is none, and those tests say that they did not run. Only where
 * `CONTINUO_TEST_BROWSER` is `install`, as in the CI, and root may, apt installs it. The one without windows is preferred: it does the same for a third less time.
 */
export const offerBrowser = async () =>
  process.env.CHROMIUM_BIN ||
  offerByApt({
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    aptPackage: 'chromium-headless-shell',
    setting: 'CONTINUO_TEST_BROWSER',
    tests: 'that look at pages',
  });
