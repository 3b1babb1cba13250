import type { AlbumFacts, AlbumQuery, ArtistFacts, ArtistQuery } from '../../api/metadata.js';
import { definePlugin, type PluginTools } from '../../api/plugin.js';
import { days, isSameName, textOf } from '../shared/names.js';

/** A page of `action=query` with `formatversion=2` (mediawiki.org/wiki/API:Query), as far as it is used. */
interface PageRecord {
  readonly title: string;
  readonly missing?: boolean;
  readonly extract?: string;
  readonly fullurl?: string;
  readonly description?: string;
  readonly original?: { readonly source: string };
  readonly pageprops?: { readonly disambiguation?: string };
}
interface Found {
  readonly query?: { readonly search?: readonly { readonly title: string }[]; readonly pages?: readonly PageRecord[] };
}
interface Entities {
  readonly entities?: Readonly<Record<string, { readonly sitelinks?: Readonly<Record<string, { readonly title: string }>> }>>;
}

const KEPT_MS = days(14);
/** Properties of Wikidata that hold MusicBrainz ids: of an artist, of a release group. */
const ARTIST_PROPERTY = 'P434';
const GROUP_PROPERTY = 'P436';
const ATTRIBUTION = 'Wikipedia, CC BY-SA 4.0';
/** Short descriptions of pages that are about music. */
const ABOUT_ARTISTS =
  /\b(?:band|musicians?|singers?|rappers?|composers?|duo|trio|quartet|group|orchestra|ensemble|choir|dj|producers?|songwriters?|pianists?|guitarists?|drummers?|violinists?|conductors?|musical)\b/i;
const ABOUT_ALBUMS = /\b(?:album|ep|mixtape|soundtrack|recording|single)\b/i;

const ask = <T>({ fetchJson }: PluginTools, base: string, params: Readonly<Record<string, string>>): Promise<T | undefined> => {
  const url = new URL('/w/api.php', base);
  for (const [name, value] of Object.entries({ ...params, format: 'json', formatversion: '2' })) url.searchParams.set(name, value);
  return fetchJson<T>({ url: url.href, keepMs: KEPT_MS });
};

const languageOf = (language: string | undefined, { settings }: PluginTools): string => {
  const [wanted] = (language ?? settings['language'] ?? 'en').toLowerCase().split('-');
  return wanted !== undefined && /^[a-z]{2,3}$/.test(wanted) ? wanted : 'en';
};
/** Each language has a host of its own; a server under a number is one for itself. */
const wikiOf = (language: string, { settings }: PluginTools): string => {
  const url = new URL(settings['url'] as string);
  if (!/^[\d.]+$|^\[/.test(url.hostname)) url.hostname = `${language}.${url.hostname}`;
  return url.href;
};

/** The page that Wikidata links with a MusicBrainz id. */
const titleByMbid = async (tools: PluginTools, property: string, mbid: string, language: string): Promise<string | undefined> => {
  const base = tools.settings['dataUrl'] as string;
  const found = await ask<Found>(tools, base, {
    action: 'query',
    list: 'search',
    srsearch: `haswbstatement:${property}=${mbid}`,
    srlimit: '1',
  });
  const item = found?.query?.search?.[0]?.title;
  if (item === undefined) return undefined;
  const site = `${language}wiki`;
  const linked = await ask<Entities>(tools, base, { action: 'wbgetentities', ids: item, props: 'sitelinks', sitefilter: site });
  return linked?.entities?.[item]?.sitelinks?.[site]?.title;
};

const pages = async (tools: PluginTools, language: string, titles: readonly string[]): Promise<readonly PageRecord[]> => {
  const found = await ask<Found>(tools, wikiOf(language, tools), {
    action: 'query',
    prop: 'extracts|info|pageimages|description|pageprops',
    exintro: '1',
    explaintext: '1',
    exlimit: 'max',
    inprop: 'url',
    piprop: 'original',
    ppprop: 'disambiguation',
    redirects: '1',
    titles: titles.join('|'),
  });
  return (found?.query?.pages ?? []).filter((page) => page.missing !== true && page.pageprops?.disambiguation === undefined);
};

/** A page about the thing itself, not about another of the same name: its short description says what it is. */
const pageByName = async (tools: PluginTools, name: string, kinds: readonly string[], about: RegExp): Promise<PageRecord | undefined> => {
  // Pipes separate titles, and brackets and the like are in none.
  if (/[|[\]{}<>#]/.test(name)) return undefined;
  const found = await pages(tools, 'en', [...kinds.map((kind) => `${name} (${kind})`), name]);
  const rank = (page: PageRecord): number => (page.title.includes('(') ? 0 : 1);
  return found
    .filter((page) => isSameName(page.title.replace(/ \([^)]*\)$/, ''), name) && about.test(page.description ?? ''))
    .toSorted((one, other) => rank(one) - rank(other))[0];
};

const factsOf = (page: PageRecord | undefined) => {
  const summary = textOf(page?.extract);
  if (!page || summary === undefined) return undefined;
  return { summary, url: textOf(page.fullurl), pictureUrl: textOf(page.original?.source), attribution: ATTRIBUTION };
};

const artist = async (tools: PluginTools, { name, mbid, language }: ArtistQuery): Promise<ArtistFacts | undefined> => {
  const wanted = languageOf(language, tools);
  const title = mbid === undefined ? undefined : await titleByMbid(tools, ARTIST_PROPERTY, mbid, wanted);
  if (title !== undefined) return factsOf((await pages(tools, wanted, [title]))[0]);
  return factsOf(await pageByName(tools, name, ['band', 'musician', 'singer'], ABOUT_ARTISTS));
};

const album = async (tools: PluginTools, { name, artist: by, mbidGroup, language }: AlbumQuery): Promise<AlbumFacts | undefined> => {
  const wanted = languageOf(language, tools);
  const title = mbidGroup === undefined ? undefined : await titleByMbid(tools, GROUP_PROPERTY, mbidGroup, wanted);
  if (title !== undefined) return factsOf((await pages(tools, wanted, [title]))[0]);
  if (textOf(by) === undefined) return undefined;
  const page = await pageByName(tools, name, [`${by} album`, `${by} EP`, 'album'], ABOUT_ALBUMS);
  // Descriptions of albums name who made them: "1997 studio album by …".
  return page && (page.description ?? '').toLowerCase().includes((by as string).toLowerCase()) ? factsOf(page) : undefined;
};

/** Texts and pictures of artists and albums from Wikipedia, found by MusicBrainz id over Wikidata, else by name. */
export default definePlugin({
  apiVersion: 1,
  name: 'wikipedia',
  title: 'Wikipedia',
  version: '1.0.0',
  sends: 'Names and MusicBrainz ids of the artists and albums that somebody asks about, to wikidata.org and wikipedia.org.',
  hosts: ['*.wikipedia.org'],
  settings: {
    url: { about: 'Address of Wikipedia, without the language before it', default: 'https://wikipedia.org', isAddress: true },
    dataUrl: { about: 'Address of Wikidata', default: 'https://www.wikidata.org', isAddress: true },
    language: { about: 'Language of texts, two letters', default: 'en' },
  },
  pace: { everyMs: 200 },
  start: (tools) => ({
    metadata: { artist: (query) => artist(tools, query), album: (query) => album(tools, query) },
    art: {
      artist: async (query) => {
        const url = (await artist(tools, query))?.pictureUrl;
        return url === undefined ? undefined : [{ url, kind: 'artist' }];
      },
    },
  }),
});
