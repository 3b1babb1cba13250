import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commentsIn, describeSetting, fillTables, meaningsModule, namesIn, tableOf } from './src/settings.mjs';

/**
 * Writes the tables of docs/operate/configuration.md, and what the management API says of settings, from the services' own schemas and the comments above their fields. `--check` changes nothing and
 * ends with 1 when a table is not up to date, a setting has no comment, or one of a tool is not on the page. Needs the built services (`tsc -b`).
 */
const root = join(fileURLToPath(import.meta.url), '..', '..', '..');
const page = join(root, 'docs', 'operate', 'configuration.md');
const meaningsPath = 'services/gateway/src/apis/manage/registry/setting-meanings.ts';
const text = (path) => readFileSync(join(root, path), 'utf8');

const meilisearchSettings = 'services/search-index/src/adapters/meilisearch/meilisearch-service-settings.ts';
const pluginSettings = 'services/plugins/src/host/plugin-settings.ts';
const storageSettings = 'services/media-store/src/storage/storage-settings.ts';
/** Each table: the schema that the service parses its environment with, and the files that hold the comments. */
const services = [
  { table: 'common', from: 'services/chassis', schema: 'baseConfig', comments: ['services/chassis/src/config.ts'] },
  {
    table: 'gateway',
    from: 'services/gateway',
    config: 'server/config.js',
    schema: 'gatewayConfig',
    comments: [
      'services/gateway/src/server/config.ts',
      'services/gateway/src/auth/auth-settings.ts',
      'services/chassis/src/outbound/outbound-settings.ts',
      storageSettings,
      meilisearchSettings,
    ],
  },
  {
    table: 'ingestion',
    from: 'services/ingestion',
    schema: 'ingestionConfig',
    comments: ['services/ingestion/src/config.ts', 'services/chassis/src/outbound/outbound-settings.ts', storageSettings, pluginSettings],
  },
  {
    table: 'social',
    from: 'services/social',
    schema: 'socialConfig',
    comments: ['services/social/src/config.ts', 'services/chassis/src/outbound/outbound-settings.ts'],
  },
  {
    table: 'transcoding',
    from: 'services/transcoding',
    schema: 'transcodingConfig',
    comments: ['services/transcoding/src/config.ts', 'services/chassis/src/outbound/outbound-settings.ts', storageSettings],
  },
  {
    table: 'sonic',
    from: 'services/sonic',
    schema: 'sonicConfig',
    comments: ['services/sonic/src/config.ts', 'services/chassis/src/outbound/outbound-settings.ts', storageSettings, pluginSettings],
  },
  {
    table: 'library',
    from: 'services/library',
    schema: 'libraryConfig',
    comments: ['services/library/src/config.ts', meilisearchSettings],
  },
  {
    table: 'playback',
    from: 'services/playback',
    schema: 'playbackConfig',
    comments: ['services/playback/src/config.ts', 'services/chassis/src/outbound/outbound-settings.ts', pluginSettings],
  },
];
/** Tools whose settings the page describes in its own words. */
const tools = ['tools/standalone/src/config.ts', 'services/operations/src/config.ts'];
/** Defaults that depend on the machine. */
const computed = { SCAN_TAG_THREADS: 'cores − 1, from 1 to 4' };

const load = async ({ from, config = 'config.js', schema }) =>
  (await import(new URL(`../../${from}/dist/${config}`, import.meta.url)))[schema].shape;

const faults = [];
const common = await load(services[0]);
const tables = {};
const meanings = {};
for (const service of services) {
  const comments = Object.assign({}, ...service.comments.map((path) => commentsIn(text(path))));
  const names = Object.keys(await load(service)).filter((name) => service.table === 'common' || !Object.hasOwn(common, name));
  const shape = await load(service);
  for (const name of names) if (!comments[name]) faults.push(`${service.from}: ${name} has no comment that says what it is for`);
  const settings = names.map((name) => ({ name, ...describeSetting(shape[name]), meaning: comments[name] ?? '' }));
  for (const { name, meaning } of settings) meanings[name] ??= meaning;
  tables[service.table] = tableOf(settings.map((setting) => ({ ...setting, byDefault: computed[setting.name] ?? setting.byDefault })));
}

const before = readFileSync(page, 'utf8');
const meaningsAfter = meaningsModule(meanings);
const after = fillTables(before, tables);
for (const path of tools) {
  for (const name of namesIn(text(path)))
    if (!after.includes(`\`${name}\``)) faults.push(`${path}: ${name} is not in docs/operate/configuration.md`);
}
if (process.argv.includes('--check')) {
  if (after !== before) faults.push('docs/operate/configuration.md is not up to date; run "node tools/checks/config-table.mjs"');
  if (text(meaningsPath) !== meaningsAfter) faults.push(`${meaningsPath} is not up to date; run "node tools/checks/config-table.mjs"`);
} else {
  writeFileSync(join(root, meaningsPath), meaningsAfter);
  writeFileSync(page, after);
}
for (const fault of faults) process.stdout.write(`${fault}\n`);
// The services' packages may keep handles open that this script has no use for.
process.exit(faults.length > 0 ? 1 : 0);
