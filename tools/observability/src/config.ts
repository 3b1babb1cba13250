/** What of this process' environment the tools of this package look at. */
export const environment = {
  /** Prometheus' tool for checking rules. */
  promtool: process.env['PROMTOOL'] ?? 'promtool',
} as const;
