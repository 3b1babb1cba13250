/** The environment as this package reads it, parsed once at import. */
export interface ChartTestConfig {
  /** `HELM_BIN`: a helm of version 3 or 4. */
  readonly helm: string | undefined;
  /** `KUBERNETES_SCHEMAS`: folder with one folder of JSON schemas for each release of Kubernetes. */
  readonly schemas: string | undefined;
}

/** The only reader of the environment in this package. */
export const config: ChartTestConfig = Object.freeze({
  helm: process.env['HELM_BIN'] || undefined,
  schemas: process.env['KUBERNETES_SCHEMAS'] || undefined,
});
