import { errorTable } from '@continuo/contracts';
import { html, Markup } from '../account-page/markup.js';
import { pageShell, type Shell } from '../account-page/page-shell.js';
import { manageProblems } from '../manage/problems.js';

/** Documents that the page shows, in the order of its list. */
export const shownDocuments = [
  { name: 'native-8', title: 'Native API 8' },
  { name: 'native-6', title: 'Native API 6' },
  { name: 'compat', title: 'Compatibility API' },
  { name: 'manage', title: 'Management API' },
] as const;

/** Starts the reader of the documents; it is a file of its own, because the policy of the page allows no inline scripts. */
export const startScript = (): string => `window.ui = SwaggerUIBundle({
  urls: ${JSON.stringify(shownDocuments.map(({ name, title }) => ({ name: title, url: `openapi/${name}.json` })))},
  dom_id: '#reader',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  // The logo comes with a style of its own, which the policy does not allow.
  plugins: [() => ({ components: { Logo: () => null } })],
  layout: 'StandaloneLayout',
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});
`;

/** The page that shows the documents; `nonce` marks its scripts. Paths are relative, because a proxy may serve the gateway below another path. */
export const docsPage = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>APIs – Continuo</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="reader"></div>
<script nonce="${nonce}" src="docs/swagger-ui-bundle.js"></script>
<script nonce="${nonce}" src="docs/swagger-ui-standalone-preset.js"></script>
<script nonce="${nonce}" src="docs/start.js"></script>
</body>
</html>
`;

const row = ([code, meaning]: readonly [string, string]): Markup =>
  html`<dt id="${code}"><code>${code}</code></dt>
    <dd>${meaning}</dd>`;

/** The page that problems of the management API refer to. */
export const problemsPage = (): Shell => {
  const all = Object.entries({ ...errorTable, ...manageProblems }).map(([code, { meaning }]) => [code, meaning] as const);
  const rows = all.toSorted(([a], [b]) => (a < b ? -1 : 1)).map((one) => row(one).text);
  return pageShell({
    title: 'Problems',
    body: html`<section class="card">
      <h1>Problems</h1>
      <dl>${Markup.of(rows.join(''))}</dl>
    </section>`,
  });
};
