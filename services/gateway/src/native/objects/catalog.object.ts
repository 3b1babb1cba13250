import { objectTable, rowsOf } from '../../render/index.js';
import type { CatalogView } from '../../reads/catalogs.reads.js';
import { epochSeconds, type NativeContext } from './context.js';

const of = rowsOf<CatalogView, NativeContext>();
const lastScan = (catalog: CatalogView): number => (catalog.lastScanAtMs === null ? 0 : epochSeconds(catalog.lastScanAtMs));

// Version 4 writes times for people, in one fixed language and zone.
const shortTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' });
const lastScanText = (catalog: CatalogView): string => shortTime.format(catalog.lastScanAtMs ?? 0);

/** versions.md sections 6.1 and 7.1. One scan adds, cleans and verifies, so the three times are that of the latest finished one. */
export const catalogObject = objectTable<CatalogView, NativeContext>('catalog', [
  of.id('id', (catalog) => catalog.id),
  of.text('name', (catalog) => catalog.name),
  of.text('type', (catalog) => catalog.type),
  of.text('gather_types', (catalog) => catalog.gatherTypes),
  of.bool('enabled', (catalog) => catalog.enabled, { since: 5 }),
  of.scalar('enabled', (catalog) => catalog.enabled, { until: 4 }),
  of.num('last_add', lastScan, { since: 5 }),
  of.num('last_clean', (catalog) => (catalog.lastScanAtMs === null ? null : lastScan(catalog)), { since: 5 }),
  of.num('last_update', lastScan, { since: 5 }),
  of.text('last_add', lastScanText, { until: 4 }),
  of.text('last_clean', lastScanText, { until: 4 }),
  of.text('last_update', lastScanText, { until: 4 }),
  of.text('path', (catalog) => catalog.path),
  of.text('rename_pattern', (catalog) => catalog.renamePattern),
  of.text('sort_pattern', (catalog) => catalog.sortPattern),
]);
