import { SHOWN_SONGS, type ShareRecord } from '../../features/share/shares.reads.js';
import { xmlAttribute as attribute, xmlText as text } from '../../render/index.js';
import type { ShareContents } from '../../features/share/share-contents.js';
import { isEpisodes } from '../../features/share/share-policy.js';
import { SHARE_PAGE_SCRIPT, SHARE_PAGE_STYLE } from './share-page.style.js';
import type { ShareTokens, ShareUse } from '../../features/share/share-tokens.js';

/** Data of the share page. */
export interface SharePage {
  readonly share: ShareRecord;
  readonly contents: ShareContents;
  readonly tokens: ShareTokens;
  /** CSP nonce of the style and the script. */
  readonly nonce: string;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** `3:07`, or `1:02:03` from an hour on. */
const clock = (durationMs: number): string => {
  const all = Math.round(durationMs / 1000);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}` : `${minutes}:${twoDigits(seconds)}`;
};

const shell = (nonce: string, title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
${head}<style nonce="${nonce}">${SHARE_PAGE_STYLE}</style>
</head>
<body>
<main>
${body}
<footer>Shared with Continuo</footer>
</main>
</body>
</html>
`;

/** The one page for every invalid share; gives no reason. */
export const invalidSharePage = (nonce: string): string =>
  shell(
    nonce,
    'Nothing here',
    '<div class="card none"><h1>There is nothing here</h1><p class="dim">The address is wrong, or what was shared is not shared any more.</p></div>',
  );

const link = ({ tokens, share }: SharePage, itemId: number, use: ShareUse): string =>
  `share.php/${use}?token=${tokens.sign({ shareId: share.id, itemId, use })}`;

/** Noun for the items of the page. */
const nounOf = ({ kind }: Pick<ShareRecord, 'kind'>): string => {
  if (kind === 'video') return 'video';
  return isEpisodes({ kind }) ? 'episode' : 'song';
};

/** An item of the page: a song, a video or an episode. */
interface Item {
  readonly id: number;
  readonly title: string;
  /** Empty for videos. */
  readonly artists: string;
  readonly durationMs: number;
}

const itemsOf = ({ songs, videos, episodes, by }: ShareContents): Item[] => [
  ...songs.map(({ doc: { id, title, durationMs, displayArtist, artists } }) => {
    return { id, title, durationMs, artists: displayArtist ?? artists.map(({ name }) => name).join(', ') };
  }),
  ...videos.map(({ id, title, durationMs }) => ({ id, title, durationMs, artists: '' })),
  ...episodes.map(({ id, title, durationMs, author }) => ({ id, title, durationMs: durationMs ?? 0, artists: by === '' ? author : '' })),
];

const track = (page: SharePage, item: Item, place: number): string => {
  const { id, title, artists } = item;
  const small = artists === page.contents.by || artists === '' ? '' : `<small>${text(artists)}</small>`;
  const time = item.durationMs > 0 ? clock(item.durationMs) : '';
  const inside = `<span class="no">${place}</span><span class="name">${text(title)}${small}</span><span class="time">${time}</span>`;
  const row = page.share.allowStream
    ? `<a class="track" href="${attribute(link(page, id, 'play'))}" data-title="${attribute(title)}">${inside}</a>`
    : `<div class="track">${inside}</div>`;
  const save = page.share.allowDownload
    ? `<a class="save" href="${attribute(link(page, id, 'download'))}" download aria-label="Download ${attribute(title)}" title="Download">&#8681;</a>`
    : '';
  return `<li>${row}${save}</li>`;
};

const player = (page: SharePage, [first]: readonly Item[]): string => {
  if (!page.share.allowStream || !first) return '';
  const keeps = page.share.allowDownload ? '' : ' controlslist="nodownload"';
  const source = attribute(link(page, first.id, 'play'));
  const isFilm = page.share.kind === 'video';
  // A video shows its picture before it plays.
  const media = isFilm
    ? `<video controls playsinline preload="metadata"${keeps} src="${source}"></video>`
    : `<audio controls preload="none"${keeps} src="${source}"></audio>`;
  return `<section class="player${isFilm ? ' film' : ''}" aria-label="Player"><p id="now" aria-live="polite">${text(first.title)}</p>
${media}</section>`;
};

const summary = ({ share }: SharePage, items: readonly Item[]): string => {
  const time = clock(items.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const what = `${nounOf(share)}${items.length === 1 ? '' : 's'}`;
  const count = items.length >= SHOWN_SONGS ? `the first ${SHOWN_SONGS} ${what}` : `${items.length} ${what}`;
  const day = share.expiresAtMs === null ? '' : new Date(share.expiresAtMs).toISOString().slice(0, 10);
  const end = day === '' ? '' : ` &middot; open until <time datetime="${day}">${day}</time>`;
  return `<p class="dim">${count} &middot; ${time}${end}</p>`;
};

/** The share page: title, player, items, and download links if allowed. All text is escaped. */
export const sharePage = (page: SharePage): string => {
  const { share, contents, nonce } = page;
  const picture = attribute(link(page, 0, 'art'));
  const art = contents.hasArt
    ? `<img class="art" src="${picture}" alt="Cover of ${attribute(contents.name)}" width="600" height="600">`
    : '';
  const by = contents.by === '' ? '' : `<p class="by">${text(contents.by)}</p>`;
  const say = share.description === '' || share.description === contents.name ? '' : `<p class="say">${text(share.description)}</p>`;
  const items = itemsOf(contents);
  const lines = items.map((item, index) => track(page, item, index + 1)).join('\n');
  return shell(
    nonce,
    contents.name,
    `<article class="card">
<header>${art}<div><h1>${text(contents.name)}</h1>${by}${summary(page, items)}${say}</div></header>
${player(page, items)}
<ol aria-label="${capital(nounOf(share))}s">
${lines}
</ol>
</article>
<script nonce="${nonce}">${SHARE_PAGE_SCRIPT}</script>`,
    contents.hasArt ? `<link rel="icon" href="${picture}">\n` : '',
  );
};
