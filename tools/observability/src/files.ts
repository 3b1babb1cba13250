import { resolve } from 'node:path';
import { alerts } from './alerts.js';
import { dashboards } from './dashboards/index.js';
import { alertsText, renderAlerts } from './render-alerts.js';
import { renderDashboard } from './render-dashboard.js';

/** The folder of the whole project. */
export const projectFolder = resolve(import.meta.dirname, '../../..');

const MADE_BY = '# Made by tools/observability: pnpm --filter @continuo/observability generate\n';

/** Label that Prometheus adds to every series in the monitoring compose file. */
const OF_COMPOSE = 'namespace="continuo"';

/** Every file that is made from the tables of this package, by its path in the project. */
export const generatedFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ...dashboards.map((dashboard): [string, string] => [
      `helm/continuo/files/dashboards/${dashboard.uid}.json`,
      `${JSON.stringify(renderDashboard(dashboard), null, 2)}\n`,
    ]),
    // The chart fills in its namespace.
    ['helm/continuo/files/alerts.yaml', MADE_BY + alertsText(renderAlerts(alerts, 'namespace="NAMESPACE"'))],
    ['deploy/monitoring/alerts.yaml', MADE_BY + alertsText({ groups: renderAlerts(alerts, OF_COMPOSE) })],
  ]);
