import type { PopularityChange, SearchDocument } from '../../search-document.js';
import type { SearchCheckpoint, SearchRequest } from '../../search-index.js';
import { nameWords, plainName, readSearchText } from '../../search-words.js';
import { MEILISEARCH_FORM_VERSION } from './meilisearch-index-settings.js';

/** A thing as it lies in an index of its kind. */
export interface ThingDocument {
  readonly id: number;
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly artists: readonly string[];
  readonly album: string;
  readonly albumArtists: readonly string[];
  readonly composers: readonly string[];
  /** Words of all these names that are not words of the texts above: parts, initials, other spellings. */
  readonly words: string;
  readonly catalogIds: readonly number[];
  readonly isInCatalogs: boolean;
  readonly isPrivate: boolean;
  readonly accountIds: readonly number[];
  readonly popularity: number;
}

/** The one document of the index of the checkpoint. */
export interface StateDocument extends SearchCheckpoint {
  readonly id: 1;
  /** Version of settings and documents. */
  readonly form: number;
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gv;
const HAS_UNSPACED = new RegExp(UNSPACED.source, 'v');

/**
 * Scripts that are written without blanks become single characters: where the server would cut them depends on what else stands in the text, and
 * on how it was built. Their order still counts, by the ranking rule `proximity`.
 */
const spaced = (text: string): string => text.replace(UNSPACED, ' $& ').replace(/\s+/gu, ' ').trim().normalize('NFC');

/** A name in the form in which it is sent, and the words under which it is found. */
interface NameForm {
  readonly text: string;
  readonly words: readonly string[];
}

const REMEMBERED_NAMES = 20_000;
const remembered = new Map<string, NameForm>();

/** Artists and albums come with every song of theirs: taking their names apart again would be most of the work of a large build. */
const formOf = (name: string): NameForm => {
  const known = remembered.get(name);
  if (known) return known;
  const words = nameWords(name).map((word) => word.normalize('NFC'));
  const form = { text: spaced(plainName(name)), words: words.filter((word) => !HAS_UNSPACED.test(word)) };
  if (remembered.size >= REMEMBERED_NAMES) remembered.clear();
  remembered.set(name, form);
  return form;
};

const textOf = (name: string): string => formOf(name).text;

const textsOf = (names: readonly string[] = []): string[] => [...new Set(names.map(textOf))].filter((text) => text !== '');

const MAX_WORDS_CHARS = 2000;

/** The form in which a document is sent. */
export const thingDocument = (document: SearchDocument): ThingDocument => {
  const { name, otherNames = [], artists = [], album = '', albumArtists = [], composers = [] } = document;
  const credited = new Set(artists);
  const texts = {
    name: textOf(name),
    otherNames: textsOf(otherNames),
    artists: textsOf(artists),
    album: textOf(album),
    albumArtists: textsOf(albumArtists.filter((artist) => !credited.has(artist))),
    composers: textsOf(composers),
  };
  const written = new Set(Object.values(texts).flat().join(' ').split(' '));
  const names = [name, ...otherNames, ...artists, album, ...albumArtists, ...composers];
  const words = [...new Set(names.flatMap((one) => formOf(one).words))].filter((word) => !written.has(word));
  return {
    id: document.id,
    ...texts,
    words: words.join(' ').slice(0, MAX_WORDS_CHARS),
    catalogIds: document.catalogIds,
    isInCatalogs: document.catalogIds.length > 0,
    isPrivate: document.foundBy !== 'everybody',
    accountIds: document.foundBy === 'everybody' ? [] : document.foundBy,
    popularity: document.popularity,
  };
};

/** Part of a document that changes with its plays. */
export const popularityPart = ({ id, popularity }: PopularityChange): Pick<ThingDocument, 'id' | 'popularity'> => ({ id, popularity });

/** The checkpoint as a document. */
export const stateDocument = ({ epoch, position, version }: SearchCheckpoint): StateDocument => ({
  id: 1,
  epoch,
  position,
  version,
  form: MEILISEARCH_FORM_VERSION,
});

const MAX_ATTEMPTS = 4;

/**
 * Queries for the server, one after the other until something is found: the search as it stands, then the readings of it. The server takes the
 * last word as unfinished unless a blank follows. Nothing but letters, digits and blanks remains, so that the query language of the server
 * (quotes, leading minus) cannot be reached.
 */
export const attemptsOf = (text: string): string[] => {
  const { plain, readings } = readSearchText(text);
  const isOpen = !/\s$/u.test(text);
  const whole = `${spaced(plain)}${isOpen ? '' : ' '}`;
  const read = readings.map(
    ({ terms }) => `${spaced(terms.map(({ word }) => word).join(' '))}${terms.at(-1)?.isUnfinished === true ? '' : ' '}`,
  );
  return [...new Set([whole, ...read])].filter((attempt) => attempt.trim() !== '').slice(0, MAX_ATTEMPTS);
};

/** Filter of what the viewer may find, in Meilisearch's syntax. */
export const visibilityFilter = ({ catalogs, viewerId }: Pick<SearchRequest, 'catalogs' | 'viewerId'>): string[][] => {
  const places =
    catalogs === 'all' ? [] : [['isInCatalogs = false', ...(catalogs.length > 0 ? [`catalogIds IN [${catalogs.join(', ')}]`] : [])]];
  const people = ['isPrivate = false', ...(viewerId === null ? [] : [`accountIds = ${viewerId}`])];
  return [...places, people];
};
