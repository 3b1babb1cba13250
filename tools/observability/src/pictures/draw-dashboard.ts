import type { Dashboard, Panel, Query } from '../panel.js';
import { within } from '../render-dashboard.js';
import { drawPanel, type Series } from './draw-panel.js';

/** Dashboard and time range to draw. */
export interface Watched {
  /** Address of Prometheus. */
  readonly prometheus: string;
  /** Value of the label of the installation. */
  readonly namespace: string;
  /** Seconds since 1970. */
  readonly fromS: number;
  readonly toS: number;
}

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly values: readonly (readonly [number, string])[];
    }[];
  };
}

const STEPS = 120;
const WINDOW = '30s';

const nameOf = (legend: string, labels: Readonly<Record<string, string>>): string =>
  legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? '');

const seriesOf = async ({ expr, legend }: Query, { prometheus, namespace, fromS, toS }: Watched): Promise<readonly Series[]> => {
  const query = within(expr, `namespace="${namespace}"`).replaceAll('$__rate_interval', WINDOW);
  const asked = new URLSearchParams({ query, start: String(fromS), end: String(toS), step: String(Math.max(1, (toS - fromS) / STEPS)) });
  const answer = (await (await fetch(`${prometheus}/api/v1/query_range?${asked.toString()}`)).json()) as Answer;
  if (answer.status !== 'success') throw new Error(`${query}: ${answer.error}`);
  return answer.data.result.map(({ metric, values }) => ({
    name: nameOf(legend, metric),
    points: values.map(([at, value]) => [at, Number(value)] as const).filter(([, value]) => Number.isFinite(value)),
  }));
};

const panelOf = async (panel: Panel, watched: Watched): Promise<string> => {
  const series = (await Promise.all(panel.queries.map((query) => seriesOf(query, watched)))).flat();
  return drawPanel({ title: panel.title, unit: panel.unit, series, stacked: panel.stacked ?? false }, watched.fromS, watched.toS);
};

const STYLE = `body{margin:0;padding:16px;background:#f4f5f8;font-family:system-ui,sans-serif;width:1472px}h1{font-size:20px;margin:4px 0 10px}h2{font-size:15px;color:#445;margin:14px 0 6px}
.row{display:grid;grid-template-columns:repeat(3,480px);gap:16px}.title{font:600 14px system-ui,sans-serif;fill:#223}.axis{font:11px system-ui,sans-serif;fill:#667}.legend{font:12px system-ui,sans-serif;fill:#334}`;

/** A dashboard as a page of pictures, with what Prometheus answers. @throws Error when Prometheus refuses an expression */
export const drawDashboard = async ({ title, rows }: Dashboard, watched: Watched): Promise<string> => {
  const parts: string[] = [];
  for (const row of rows) {
    const drawn = await Promise.all(row.panels.map((panel) => panelOf(panel, watched)));
    parts.push(`<h2>${row.title}</h2><div class="row">${drawn.join('')}</div>`);
  }
  return `<!doctype html><html><head><meta charset="utf-8"><style>${STYLE}</style></head><body><h1>${title}</h1>${parts.join('')}</body></html>`;
};
