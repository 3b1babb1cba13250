/** The environment as this package reads it, parsed once at import. */
export interface EndToEndConfig {
  /** `SCHEMATHESIS_BIN`: a schemathesis found or installed by the set-up. */
  readonly schemathesis: string | undefined;
  /** `OPENAPI_PYTHON_CLIENT`: the generator of Python clients, in the `bin` of a virtual environment. */
  readonly pythonGenerator: string | undefined;
  /** `OAPI_CODEGEN`: the generator of Go clients. */
  readonly goGenerator: string | undefined;
}

/** The only reader of the environment in this package. */
export const config: EndToEndConfig = Object.freeze({
  schemathesis: process.env['SCHEMATHESIS_BIN'] || undefined,
  pythonGenerator: process.env['OPENAPI_PYTHON_CLIENT'] || undefined,
  goGenerator: process.env['OAPI_CODEGEN'] || undefined,
});
