import type { ScrapedMetric } from './exposition.js';

/** Labels that say nothing about one metric alone. */
const EVERYWHERE = new Set(['service', 'le']);

/** Rows of the handbook's table: metric, type, labels, what it says. */
export const metricsTable = (told: ReadonlyMap<string, ScrapedMetric>): readonly string[] =>
  [...told.values()]
    .filter(({ name }) => name.startsWith('continuo_'))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, type, labels, help }) => {
      const own = [...labels].filter((label) => !EVERYWHERE.has(label)).map((label) => `\`${label}\``);
      return `| \`${name}\` | ${type} | ${own.join(', ')} | ${help} |`;
    });
