import { html, Markup } from './markup.js';
import { PAGE_STYLE } from './page-shell.style.js';

/** Message at the top of a page. */
export interface Notice {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

/** Parts of a page. */
export interface PageParts {
  readonly title: string;
  readonly body: Markup;
  readonly notice?: Notice | undefined;
  /** Navigation bar of a signed-in user. */
  readonly bar?: Markup | undefined;
  /** Address elsewhere that the browser goes on to. */
  readonly leadsTo?: string | undefined;
  /** One narrow card instead of a column of cards. */
  readonly small?: boolean;
}

/** Renders a page with the nonce of its style; pages have no scripts. */
export type Shell = (nonce: string) => string;

const noticeOf = ({ kind, text }: Notice): Markup =>
  html`<p class="note ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`;

/** Builds a page from its parts. */
export const pageShell =
  ({ title, body, notice, bar, leadsTo, small = false }: PageParts): Shell =>
  (nonce) =>
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<link rel="icon" href="../icon-192.png">
${leadsTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${leadsTo}" />`}
<title>${title} \u2013 Continuo</title>
<style nonce="${nonce}">${Markup.of(PAGE_STYLE)}</style>
</head>
<body>
${bar}
<main${small ? Markup.of(' class="small"') : ''}>
${notice && noticeOf(notice)}
${body}
</main>
</body>
</html>
`.text;
