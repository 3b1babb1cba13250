import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { dashboards } from '../dashboards/index.js';
import { projectFolder } from '../files.js';
import { drawDashboard } from './draw-dashboard.js';

const run = promisify(execFile);

const { values } = parseArgs({
  options: {
    prometheus: { type: 'string', default: 'http://127.0.0.1:9090' },
    namespace: { type: 'string', default: 'continuo' },
    /** Time range shown, s. */
    seconds: { type: 'string', default: '300' },
    browser: { type: 'string', default: 'chromium' },
  },
});

const WIDTH = 1504;
const ROW_HEIGHT = 276;
const HEAD_HEIGHT = 60;
const TITLE_HEIGHT = 44;

const toS = Math.floor(Date.now() / 1000);
const watched = { prometheus: values.prometheus, namespace: values.namespace, fromS: toS - Number(values.seconds), toS };
const folder = await mkdtemp(join(tmpdir(), 'continuo-pictures-'));
try {
  for (const dashboard of dashboards) {
    const page = join(folder, `${dashboard.uid}.html`);
    await writeFile(page, await drawDashboard(dashboard, watched));
    const height = dashboard.rows.reduce((sum, { panels }) => sum + TITLE_HEIGHT + Math.ceil(panels.length / 3) * ROW_HEIGHT, HEAD_HEIGHT);
    const name = dashboard.uid === 'continuo' ? 'overview' : dashboard.uid.replace('continuo-', '');
    const picture = join(projectFolder, `docs/pictures/dashboard-${name}.png`);
    const size = `--window-size=${WIDTH},${height}`;
    await run(values.browser, [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      size,
      `--screenshot=${picture}`,
      `file://${page}`,
    ]);
    process.stdout.write(`${picture}\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
