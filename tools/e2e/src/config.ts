import { locateProgram } from '@continuo/local-servers';

/** The environment as this package reads it, parsed once at import. */
export interface EndToEndConfig {
  /** `SCHEMATHESIS_BIN`: a schemathesis found or installed by the set-up. */
  readonly schemathesis: string | undefined;
  /** `OPENAPI_PYTHON_CLIENT`: the generator of Python clients, in the `bin` of a virtual environment. */
  readonly pythonGenerator: string | undefined;
  /** `OAPI_CODEGEN`: the generator of Go clients. */
  readonly goGenerator: string | undefined;
  /** `OAUTH2_PROXY_BIN`: the proxy of a counterpart's test. */
  readonly oauth2Proxy: string | undefined;
  /** `CHROMIUM_BIN`: a Chromium found or installed by the set-up, else the first in `PATH`. */
  readonly chromium: string | undefined;
  /** `FIREFOX_BIN`: a Firefox found or installed by the set-up, else the first in `PATH`. */
  readonly firefox: string | undefined;
}

/** Names under which Chromium goes. */
const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'];

const FIREFOX = ['firefox-esr', 'firefox'];

const firstOf = (names: readonly string[]): string | undefined =>
  names.map((name) => locateProgram(name, undefined)).find((path) => path !== undefined);

/** The only reader of the environment in this package. */
export const config: EndToEndConfig = Object.freeze({
  schemathesis: process.env['SCHEMATHESIS_BIN'] || undefined,
  pythonGenerator: process.env['OPENAPI_PYTHON_CLIENT'] || undefined,
  goGenerator: process.env['OAPI_CODEGEN'] || undefined,
  oauth2Proxy: process.env['OAUTH2_PROXY_BIN'] || undefined,
  chromium: process.env['CHROMIUM_BIN'] || firstOf(CHROMIUM),
  firefox: process.env['FIREFOX_BIN'] || firstOf(FIREFOX),
});

/** The environment, for programs that a spec starts. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;
