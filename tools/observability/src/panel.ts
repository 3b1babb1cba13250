/** Unit of a panel, in Grafana's names. */
export type Unit = 'reqps' | 'short' | 's' | 'percentunit' | 'bytes' | 'Bps' | 'ops' | 'cpm';

/** One line, or one group of lines, of a panel. */
export interface Query {
  /** PromQL over series of one installation: `{%}` and `{%, …}` stand for its label. */
  readonly expr: string;
  /** Template of the line's name, such as `{{operation}}`. */
  readonly legend: string;
}

/** A picture of a dashboard. */
export interface Panel {
  readonly title: string;
  /** Description, and remedy when it looks bad. */
  readonly says: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Columns of 24; default 8. */
  readonly width?: number;
  /** Areas that add up. */
  readonly stacked?: boolean;
}

/** A dashboard: rows of panels. */
export interface Dashboard {
  /** Name of its file, and its address in Grafana. */
  readonly uid: string;
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
}

/** Rates are taken over what Grafana holds for enough. */
const WINDOW = '$__rate_interval';

const selector = (labels: string): string => (labels === '' ? '{%}' : `{%, ${labels}}`);
const by = (labels: string): string => (labels === '' ? '' : ` by (${labels})`);

/** Expression of a rate per second, summed by labels. */
export const rate = (metric: string, labels = '', matching = ''): string =>
  `sum${by(labels)} (rate(${metric}${selector(matching)}[${WINDOW}]))`;

/** A quantile of a histogram, by labels. */
export const quantile = (share: number, metric: string, labels = '', matching = ''): string =>
  `histogram_quantile(${share}, sum by (${labels === '' ? 'le' : `le, ${labels}`}) (rate(${metric}_bucket${selector(matching)}[${WINDOW}])))`;

/** A gauge, added up by labels. */
export const sum = (metric: string, labels = '', matching = ''): string => `sum${by(labels)} (${metric}${selector(matching)})`;

/** A gauge of which several copies of a service tell the same. */
export const max = (metric: string, labels = '', matching = ''): string => `max${by(labels)} (${metric}${selector(matching)})`;

/** One line. */
export const line = (expr: string, legend: string): Query => ({ expr, legend });

/** The usual three quantiles of a histogram. */
export const quantiles = (metric: string, matching = ''): Query[] =>
  [0.5, 0.95, 0.99].map((share) => line(quantile(share, metric, '', matching), `p${share * 100}`));
