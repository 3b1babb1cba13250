import type { SongView } from '../reads/songs.reads.js';
import { SHOWN_SONGS, type ShareRecord } from '../reads/shares.reads.js';
import { xmlAttribute as attribute, xmlText as text } from '../render/index.js';
import type { ShareContents } from './share-contents.js';
import { SHARE_PAGE_SCRIPT, SHARE_PAGE_STYLE } from './share-page.style.js';
import type { ShareTokens, ShareUse } from './share-tokens.js';

/** What a page is made of. */
export interface SharePage {
  readonly share: ShareRecord;
  readonly contents: ShareContents;
  readonly tokens: ShareTokens;
  /** Random text that marks the style and the script as the server's own. */
  readonly nonce: string;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

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

/** The page for everything that opens no share: it says nothing about why. */
export const deadSharePage = (nonce: string): string =>
  shell(
    nonce,
    'Nothing here',
    '<div class="card none"><h1>There is nothing here</h1><p class="dim">The address is wrong, or what was shared is not shared any more.</p></div>',
  );

const link = ({ tokens, share }: SharePage, songId: number, use: ShareUse): string =>
  `share.php/${use}?token=${tokens.sign({ shareId: share.id, songId, use })}`;

const track = (page: SharePage, song: SongView, place: number): string => {
  const { doc } = song;
  const artists = doc.displayArtist ?? doc.artists.map(({ name }) => name).join(', ');
  const small = artists === page.contents.by || artists === '' ? '' : `<small>${text(artists)}</small>`;
  const inside = `<span class="no">${place}</span><span class="name">${text(doc.title)}${small}</span><span class="time">${clock(doc.durationMs)}</span>`;
  const row = page.share.allowStream
    ? `<a class="track" href="${attribute(link(page, doc.id, 'play'))}" data-title="${attribute(doc.title)}">${inside}</a>`
    : `<div class="track">${inside}</div>`;
  const save = page.share.allowDownload
    ? `<a class="save" href="${attribute(link(page, doc.id, 'download'))}" download aria-label="Download ${attribute(doc.title)}" title="Download">&#8681;</a>`
    : '';
  return `<li>${row}${save}</li>`;
};

const player = (page: SharePage): string => {
  const [first] = page.contents.songs;
  if (!page.share.allowStream || !first) return '';
  const keeps = page.share.allowDownload ? '' : ' controlslist="nodownload"';
  const source = attribute(link(page, first.doc.id, 'play'));
  return `<section class="player" aria-label="Player"><p id="now" aria-live="polite">${text(first.doc.title)}</p>
<audio controls preload="none"${keeps} src="${source}"></audio></section>`;
};

const summary = ({ share, contents }: SharePage): string => {
  const { songs } = contents;
  const time = clock(songs.reduce((sum, { doc }) => sum + doc.durationMs, 0));
  const count = songs.length >= SHOWN_SONGS ? `the first ${SHOWN_SONGS} songs` : songs.length === 1 ? '1 song' : `${songs.length} songs`;
  const day = share.expiresAtMs === null ? '' : new Date(share.expiresAtMs).toISOString().slice(0, 10);
  const end = day === '' ? '' : ` &middot; open until <time datetime="${day}">${day}</time>`;
  return `<p class="dim">${count} &middot; ${time}${end}</p>`;
};

/** The page of a share: what it is, a player, its songs, and links to keep them where that is allowed. Whatever people wrote is escaped. */
export const sharePage = (page: SharePage): string => {
  const { share, contents, nonce } = page;
  const picture = attribute(link(page, 0, 'art'));
  const art = contents.hasArt
    ? `<img class="art" src="${picture}" alt="Cover of ${attribute(contents.name)}" width="600" height="600">`
    : '';
  const by = contents.by === '' ? '' : `<p class="by">${text(contents.by)}</p>`;
  const say = share.description === '' || share.description === contents.name ? '' : `<p class="say">${text(share.description)}</p>`;
  const songs = contents.songs.map((song, index) => track(page, song, index + 1)).join('\n');
  return shell(
    nonce,
    contents.name,
    `<article class="card">
<header>${art}<div><h1>${text(contents.name)}</h1>${by}${summary(page)}${say}</div></header>
${player(page)}
<ol aria-label="Songs">
${songs}
</ol>
</article>
<script nonce="${nonce}">${SHARE_PAGE_SCRIPT}</script>`,
    contents.hasArt ? `<link rel="icon" href="${picture}">\n` : '',
  );
};
