import type { Dashboard, Panel } from './panel.js';

/** The label of one installation, as Grafana's variable fills it in. */
const OF_ONE = 'namespace="$namespace"';

/** An expression with the label of one installation in it. */
export const within = (expr: string, label: string): string => expr.replaceAll('{%', `{${label}`);

const COLUMNS = 24;
const HEIGHT = 8;
const source = { type: 'prometheus', uid: '${source}' };

const variables = [
  { name: 'source', type: 'datasource', query: 'prometheus', label: 'Source' },
  {
    name: 'namespace',
    type: 'query',
    label: 'Namespace',
    datasource: source,
    query: { query: 'label_values(continuo_projection_position, namespace)', refId: 'namespaces' },
    refresh: 2,
  },
];

const timeseries = (panel: Panel, id: number, gridPos: object): object => ({
  id,
  title: panel.title,
  description: panel.says,
  type: 'timeseries',
  datasource: source,
  gridPos,
  fieldConfig: {
    defaults: {
      unit: panel.unit,
      min: 0,
      custom: {
        lineWidth: 2,
        fillOpacity: panel.stacked ? 30 : 10,
        showPoints: 'never',
        ...(panel.stacked ? { stacking: { mode: 'normal', group: 'A' } } : {}),
      },
    },
    overrides: [],
  },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: panel.queries.map(({ expr, legend }, index) => ({
    refId: String.fromCharCode(65 + index),
    expr: within(expr, OF_ONE),
    legendFormat: legend,
    datasource: source,
  })),
});

/** A dashboard as Grafana imports it. */
export const renderDashboard = ({ uid, title, rows }: Dashboard): object => {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      title: row.title,
      type: 'row',
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    });
    y += 1;
    let x = 0;
    for (const panel of row.panels) {
      const w = panel.width ?? 8;
      if (x + w > COLUMNS) [x, y] = [0, y + HEIGHT];
      panels.push(timeseries(panel, panels.length + 1, { x, y, w, h: HEIGHT }));
      x += w;
    }
    y += HEIGHT;
  }
  return {
    uid,
    title,
    tags: ['continuo'],
    timezone: 'browser',
    schemaVersion: 39,
    version: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    links: [{ title: 'Continuo', type: 'dashboards', tags: ['continuo'], asDropdown: true, includeVars: true, keepTime: true }],
    templating: { list: variables },
    annotations: { list: [] },
    panels,
  };
};
