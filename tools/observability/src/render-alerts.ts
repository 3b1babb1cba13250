import { stringify } from 'yaml';
import type { Alert } from './alerts.js';
import { within } from './render-dashboard.js';

/** Groups of rules as Prometheus reads them, for the series with a label. */
export const renderAlerts = (alerts: readonly Alert[], label: string): readonly object[] => [
  {
    name: 'continuo',
    rules: alerts.map(({ name, expr, lasting, severity, summary, remedy }) => ({
      alert: name,
      expr: within(expr, label),
      ...(lasting === undefined ? {} : { for: lasting }),
      labels: { severity },
      annotations: { summary, description: remedy },
    })),
  },
];

/** The same as text. */
export const alertsText = (groups: unknown): string => stringify(groups, { lineWidth: 160 });
