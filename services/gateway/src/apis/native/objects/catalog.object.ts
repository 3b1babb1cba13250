import type { CatalogView } from '../../../reads/visibility/catalogs.reads.js';
import { epochSeconds } from './context.js';
import { nativeObject } from './native-object.js';

const seconds = (atMs: number | null): number => (atMs === null ? 0 : epochSeconds(atMs));

// Version 4 formats times in English, in a fixed time zone.
const shortTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' });
const timeText = (atMs: number | null): string => (atMs === null ? 'Never' : shortTime.format(atMs));

/** Fields of a catalog. A scan for changes adds, cleans and updates, so it sets all three times. */
export const catalogObject = nativeObject<CatalogView>('catalog', (of) => [
  of.id('id', (catalog) => catalog.id),
  of.text('name', (catalog) => catalog.name),
  of.text('type', (catalog) => catalog.type),
  of.text('gather_types', (catalog) => catalog.gatherTypes),
  of.bool('enabled', (catalog) => catalog.enabled, { since: 5 }),
  of.scalar('enabled', (catalog) => catalog.enabled, { until: 4 }),
  of.int('last_add', (catalog) => seconds(catalog.lastAddAtMs), { since: 5 }),
  of.int('last_clean', (catalog) => (catalog.lastCleanAtMs === null ? null : epochSeconds(catalog.lastCleanAtMs)), {
    since: 5,
    nullable: true,
  }),
  of.int('last_update', (catalog) => seconds(catalog.lastUpdateAtMs), { since: 5 }),
  of.text('last_add', (catalog) => timeText(catalog.lastAddAtMs), { until: 4 }),
  of.text('last_clean', (catalog) => timeText(catalog.lastCleanAtMs), { until: 4 }),
  of.text('last_update', (catalog) => timeText(catalog.lastUpdateAtMs), { until: 4 }),
  of.text('path', (catalog, { links }) => links.catalogPath(catalog.path)),
  of.text('rename_pattern', (catalog) => catalog.renamePattern, { nullable: true }),
  of.text('sort_pattern', (catalog) => catalog.sortPattern, { nullable: true }),
]);
