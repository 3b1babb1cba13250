import { html, Markup } from './markup.js';
import { PAGE_STYLE } from './page-shell.style.js';

/** What is said on top of a page. */
export interface Notice {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

/** A page to be. */
export interface PageParts {
  readonly title: string;
  readonly body: Markup;
  readonly notice?: Notice | undefined;
  /** The line on top, for who is signed in. */
  readonly bar?: Markup | undefined;
  /** One narrow card in place of a column of cards. */
  readonly small?: boolean;
}

/** Makes a whole page of a page's parts; `nonce` marks its style as the server's own. There is no script in any of them. */
export type Shell = (nonce: string) => string;

const noticeOf = ({ kind, text }: Notice): Markup =>
  html`<p class="note ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`;

/** Puts a page together. */
export const pageShell =
  ({ title, body, notice, bar, small = false }: PageParts): Shell =>
  (nonce) =>
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<title>${title} – Continuo</title>
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
