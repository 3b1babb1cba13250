import type { FoundArt } from '../../api/art.js';
import type { AlbumFacts, AlbumQuery, ArtistFacts, ArtistQuery, LabelFacts, LabelQuery, SongFacts, SongQuery } from '../../api/metadata.js';
import { definePlugin, type PluginTools } from '../../api/plugin.js';
import { days, isSameName, textOf } from '../shared/names.js';
import type { ArtistRecord, CoverRecord, LabelRecord, RecordingRecord, ReleaseRecord, TagRecord } from './records.js';

/** Least score of a search result, of 100; the name must be equal too. */
const LEAST_SCORE = 90;
const KEPT_MS = days(30);
const MOST_TAGS = 10;

interface Place {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

const look = <T>({ settings, fetchJson }: PluginTools, { path, query }: Place): Promise<T | undefined> => {
  const url = new URL(`/ws/2/${path}`, settings['url']);
  for (const [name, value] of Object.entries({ ...query, fmt: 'json' })) url.searchParams.set(name, value);
  return fetchJson<T>({ url: url.href, keepMs: KEPT_MS });
};

/** A word or words of the search language, with everything in them meant as it stands. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
/** Terms of a search that all have to hold; those without a value are left out. */
const terms = (fields: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name}:${quoted(value)}`]))
    .join(' AND ');

const tagsOf = (tags: readonly TagRecord[] | undefined): string[] =>
  [...(tags ?? [])]
    .toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0))
    .slice(0, MOST_TAGS)
    .map(({ name }) => name);
const yearOf = (date: string | null | undefined): number | undefined => {
  const year = Number(date?.slice(0, 4));
  return Number.isInteger(year) && year > 0 ? year : undefined;
};
const urlOf = (kind: string, mbid: string): string => `https://musicbrainz.org/${kind}/${mbid}`;

const artistMbid = async (tools: PluginTools, { name, mbid }: ArtistQuery): Promise<string | undefined> => {
  if (mbid !== undefined) return mbid;
  const found = await look<{ artists?: readonly ArtistRecord[] }>(tools, {
    path: 'artist',
    query: { query: terms({ artist: name }), limit: '10' },
  });
  const same = (found?.artists ?? []).filter(
    (artist) =>
      (artist.score ?? 0) >= LEAST_SCORE &&
      [artist.name, ...(artist.aliases ?? []).map((alias) => alias.name)].some((known) => isSameName(known, name)),
  );
  // Of several with one name nobody can tell which is meant.
  const exact = same.filter((artist) => isSameName(artist.name, name));
  const [first, another] = exact.length > 0 ? exact : same;
  return another !== undefined && (another.score ?? 0) >= (first?.score ?? 0) ? undefined : first?.id;
};

const artist = async (tools: PluginTools, query: ArtistQuery): Promise<ArtistFacts | undefined> => {
  const mbid = await artistMbid(tools, query);
  if (mbid === undefined) return undefined;
  const record = await look<ArtistRecord>(tools, { path: `artist/${mbid}`, query: { inc: 'tags+url-rels' } });
  if (!record) return undefined;
  const place = record['begin-area']?.name ?? record.area?.name;
  return {
    mbid: record.id,
    placeFormed: textOf(place),
    yearFormed: yearOf(record['life-span']?.begin),
    url: urlOf('artist', record.id),
    tags: tagsOf(record.tags),
  };
};

/** The release that an album is, by its id, else the best that a search finds under its name and artist. */
const releaseOf = async (tools: PluginTools, { name, artist: by, mbid, mbidGroup }: AlbumQuery): Promise<ReleaseRecord | undefined> => {
  let id = mbid;
  if (id === undefined) {
    const query = mbidGroup === undefined ? terms({ release: name, artist: by }) : terms({ rgid: mbidGroup });
    const found = await look<{ releases?: readonly ReleaseRecord[] }>(tools, { path: 'release', query: { query, limit: '5' } });
    const fits = (release: ReleaseRecord): boolean =>
      mbidGroup !== undefined || ((release.score ?? 0) >= LEAST_SCORE && isSameName(release.title, name));
    // A name alone is not enough: there are many albums called "Greatest Hits".
    if (mbidGroup === undefined && textOf(by) === undefined) return undefined;
    id = found?.releases?.find(fits)?.id;
  }
  return id === undefined ? undefined : look<ReleaseRecord>(tools, { path: `release/${id}`, query: { inc: 'labels+release-groups+tags' } });
};

const album = async (tools: PluginTools, query: AlbumQuery): Promise<AlbumFacts | undefined> => {
  const release = await releaseOf(tools, query);
  if (!release) return undefined;
  const issued = release['label-info']?.[0];
  const group = release['release-group'];
  return {
    mbid: release.id,
    mbidGroup: group?.id,
    url: urlOf('release', release.id),
    barcode: textOf(release.barcode),
    catalogNumber: textOf(issued?.['catalog-number']),
    label: textOf(issued?.label?.name),
    releaseType: textOf(group?.['primary-type']),
    releaseDate: textOf(release.date),
    originalDate: textOf(group?.['first-release-date']),
    tags: tagsOf(release.tags),
  };
};

const song = async (tools: PluginTools, { title, artist: by, album: on, mbid }: SongQuery): Promise<SongFacts | undefined> => {
  let id = mbid;
  if (id === undefined) {
    if (textOf(by) === undefined) return undefined;
    const query = terms({ recording: title, artist: by, release: on });
    const found = await look<{ recordings?: readonly RecordingRecord[] }>(tools, { path: 'recording', query: { query, limit: '5' } });
    id = found?.recordings?.find((recording) => (recording.score ?? 0) >= LEAST_SCORE && isSameName(recording.title, title))?.id;
  }
  const record =
    id === undefined ? undefined : await look<RecordingRecord>(tools, { path: `recording/${id}`, query: { inc: 'isrcs+tags' } });
  return record && { mbid: record.id, url: urlOf('recording', record.id), isrc: record.isrcs ?? [], tags: tagsOf(record.tags) };
};

const label = async (tools: PluginTools, { name, mbid }: LabelQuery): Promise<LabelFacts | undefined> => {
  let id = mbid;
  if (id === undefined) {
    const found = await look<{ labels?: readonly LabelRecord[] }>(tools, {
      path: 'label',
      query: { query: terms({ label: name }), limit: '5' },
    });
    id = found?.labels?.find((one) => (one.score ?? 0) >= LEAST_SCORE && isSameName(one.name, name))?.id;
  }
  const record = id === undefined ? undefined : await look<LabelRecord>(tools, { path: `label/${id}`, query: {} });
  return (
    record && {
      mbid: record.id,
      url: urlOf('label', record.id),
      country: textOf(record.country),
      yearFormed: yearOf(record['life-span']?.begin),
    }
  );
};

/** Covers of a release in the Cover Art Archive, else of its group. */
const coversOf = async (
  { settings, fetchJson }: PluginTools,
  query: { readonly mbid?: string | undefined; readonly mbidGroup?: string | undefined },
) => {
  const places = [
    ...(query.mbid === undefined ? [] : [`release/${query.mbid}`]),
    ...(query.mbidGroup === undefined ? [] : [`release-group/${query.mbidGroup}`]),
  ];
  for (const place of places) {
    const covers = await fetchJson<{ images?: readonly CoverRecord[] }>({
      url: new URL(`/${place}`, settings['artUrl']).href,
      keepMs: days(7),
    });
    if (covers?.images?.length) return covers.images;
  }
  return [];
};

const albumArt = async (tools: PluginTools, query: AlbumQuery): Promise<readonly FoundArt[] | undefined> => {
  const release = query.mbid === undefined && query.mbidGroup === undefined ? await releaseOf(tools, query) : undefined;
  const covers = await coversOf(tools, {
    mbid: query.mbid ?? release?.id,
    mbidGroup: query.mbidGroup ?? release?.['release-group']?.id,
  });
  const pictures = covers
    .filter(({ approved }) => approved !== false)
    .toSorted((one, other) => Number(other.front ?? false) - Number(one.front ?? false))
    // The archive's addresses are plain http, for which there is no need; originals may have hundreds of megabytes.
    .map(({ thumbnails, image, types }) => ({
      url: secure(thumbnails?.['1200'] ?? thumbnails?.large ?? image, tools),
      kind: types?.[0]?.toLowerCase(),
    }));
  return pictures.length > 0 ? pictures : undefined;
};

const secure = (url: string, { settings }: PluginTools): string =>
  settings['artUrl']?.startsWith('https:') ? url.replace(/^http:/, 'https:') : url;

/** Facts from MusicBrainz and covers from the Cover Art Archive; neither needs a key. */
export default definePlugin({
  apiVersion: 1,
  name: 'musicbrainz',
  title: 'MusicBrainz',
  version: '1.0.0',
  sends:
    'Names and MusicBrainz ids of the artists, albums, songs and labels that somebody asks about, to musicbrainz.org and coverartarchive.org.',
  hosts: ['coverartarchive.org', 'archive.org', '*.archive.org'],
  settings: {
    url: { about: 'Address of MusicBrainz, or of a mirror', default: 'https://musicbrainz.org', isAddress: true },
    artUrl: { about: 'Address of the Cover Art Archive', default: 'https://coverartarchive.org', isAddress: true },
  },
  // Once a second is what the service allows to each address of the network.
  pace: { everyMs: 1050 },
  start: (tools) => ({
    metadata: {
      artist: (query) => artist(tools, query),
      album: (query) => album(tools, query),
      song: (query) => song(tools, query),
      label: (query) => label(tools, query),
    },
    art: { album: (query) => albumArt(tools, query) },
  }),
});
