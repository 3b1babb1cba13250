/** Environment of this process, as far as this package reads it. */
export const environment = {
  /** Prometheus' tool for checking rules. */
  promtool: process.env['PROMTOOL'] ?? 'promtool',
} as const;
