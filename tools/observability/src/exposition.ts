/** A metric as a server tells it. */
export interface ScrapedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Labels of its series; none is known of a metric that has no series yet. */
  readonly labels: ReadonlySet<string>;
}

const SERIES = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+/;
const LABEL = /([a-zA-Z_]\w*)="(?:[^"\\]|\\.)*"/g;

/** Parses a scrape by the name of the metric. Parts of histograms count as their histogram. */
export const parseExposition = (text: string): ReadonlyMap<string, ScrapedMetric> => {
  const told = new Map<string, ScrapedMetric & { readonly labels: Set<string> }>();
  const helps = new Map<string, string>();
  let current: (ScrapedMetric & { readonly labels: Set<string> }) | undefined;
  for (const row of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(row) ?? [];
    if (kind === 'HELP') helps.set(name, rest);
    if (kind === 'TYPE') {
      current = { name, type: rest, help: helps.get(name) ?? '', labels: new Set() };
      told.set(name, current);
    }
    const [, series, labels = ''] = SERIES.exec(row) ?? [];
    if (series?.startsWith(current?.name ?? ' ')) for (const [, label = ''] of labels.matchAll(LABEL)) current?.labels.add(label);
  }
  return told;
};

/** The metric to which a series belongs. */
export const metricOf = (series: string, told: ReadonlyMap<string, ScrapedMetric>): ScrapedMetric | undefined =>
  told.get(series) ?? told.get(series.replace(/_(?:bucket|count|sum)$/, ''));
