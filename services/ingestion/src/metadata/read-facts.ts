import { MAX_FOUND_ARTISTS, MAX_FOUND_SONGS, MAX_FOUND_SUMMARY, type Fact, type FoundArtistInfo } from '@continuo/contracts';
import type { PluginAnswer } from '@continuo/plugins';

/*
 * Answers of plug-ins have any shape and size. Here they become external metadata: fields of the wrong kind are left out, texts are cut, markup is taken away.
 */

const MBID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_NAME = 500;
const MAX_FIELDS = 40;
const MAX_ITEMS = 50;

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (answer: unknown): Fields =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? (answer as Fields) : {};
const itemsOf = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.map(fieldsOf) : []);

/** Text without markup and without signs that no text has. */
export const plainText = (value: unknown, maxChars: number): string | null => {
  if (typeof value !== 'string') return null;
  const plain = value
    .slice(0, 4 * maxChars)
    .toWellFormed()
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\p{Cc}\p{Co}\p{Cn}]/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .trim();
  if (plain === '') return null;
  return plain.length > maxChars ? `${plain.slice(0, maxChars - 1).toWellFormed()}…` : plain;
};

const mbidOf = (value: unknown): string | null =>
  typeof value === 'string' && MBID.test(value.toLowerCase()) ? value.toLowerCase() : null;
const yearOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 10_000 ? value : null;
const scoreOf = (value: unknown): number | null => (typeof value === 'number' && value >= 0 && value <= 1 ? value : null);
/** A page that a client may open: nothing but web addresses, without a password. */
export const webAddress = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 2000) return null;
  const url = URL.parse(value);
  return url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
};

/** The first that is something. */
const first = <T>(answers: readonly PluginAnswer[], read: (fields: Fields) => T | null): T | null => {
  for (const { answer } of answers) {
    const value = read(fieldsOf(answer));
    if (value !== null) return value;
  }
  return null;
};

const key = (name: string): string => name.normalize('NFKC').toLowerCase();

/** All similar artists, those of the first plug-in first; one that several name stands once, with whatever id any of them gives. */
const similarOf = (answers: readonly PluginAnswer[]): FoundArtistInfo['similar'] => {
  const found = new Map<string, FoundArtistInfo['similar'][number]>();
  for (const { answer } of answers) {
    for (const item of itemsOf(fieldsOf(answer)['similar'])) {
      const name = plainText(item['name'], MAX_NAME);
      if (name === null) continue;
      const known = found.get(key(name));
      const one = { name, mbid: mbidOf(item['mbid']), score: scoreOf(item['score']) };
      found.set(key(name), known ? { ...known, mbid: known.mbid ?? one.mbid } : one);
    }
  }
  return [...found.values()].slice(0, MAX_FOUND_ARTISTS);
};

/** Songs of an answer to `topSongs`; undefined when it has none. */
export const findTopSongs = (answer: unknown): FoundArtistInfo['topSongs'] | undefined => {
  const songs = itemsOf(answer).flatMap((item) => {
    const title = plainText(item['title'], MAX_NAME);
    return title === null ? [] : [{ title, mbid: mbidOf(item['mbid']) }];
  });
  return songs.length > 0 ? songs.slice(0, MAX_FOUND_SONGS) : undefined;
};

/** The MusicBrainz id that the first plug-in gives that knows one. */
export const mbidIn = (answers: readonly PluginAnswer[]): string | undefined =>
  first(answers, (fields) => mbidOf(fields['mbid'])) ?? undefined;

/** Merges the answers about an artist: each field from the first plug-in that has it. */
export const mergedArtistInfo = (
  answers: readonly PluginAnswer[],
  topSongs: FoundArtistInfo['topSongs'],
  isComplete: boolean,
): FoundArtistInfo => {
  const writer = answers.find(({ answer }) => plainText(fieldsOf(answer)['summary'], MAX_FOUND_SUMMARY) !== null);
  const written = writer ? fieldsOf(writer.answer) : {};
  return {
    mbid: mbidIn(answers) ?? null,
    summary: plainText(written['summary'], MAX_FOUND_SUMMARY),
    attribution: plainText(written['attribution'], 1000) ?? writer?.title ?? null,
    placeFormed: first(answers, (fields) => plainText(fields['placeFormed'], 200)),
    yearFormed: first(answers, (fields) => yearOf(fields['yearFormed'])),
    // The page that the text is from, where there is one.
    url: webAddress(written['url']) ?? first(answers, (fields) => webAddress(fields['url'])),
    similar: similarOf(answers),
    topSongs,
    isComplete,
    sources: answers.map(({ plugin }) => plugin).slice(0, 20),
  };
};

const factOf = (value: unknown): Fact | undefined => {
  if (typeof value === 'string') return plainText(value, MAX_FOUND_SUMMARY) ?? undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const items = value.slice(0, MAX_ITEMS).flatMap((item: unknown): (string | Record<string, string | number>)[] => {
    if (typeof item === 'string') return [plainText(item, MAX_NAME) ?? ''].filter(Boolean);
    const fields = Object.entries(fieldsOf(item)).flatMap(([name, inner]): [string, string | number][] => {
      const fact = typeof inner === 'string' || typeof inner === 'number' ? factOf(inner) : undefined;
      return typeof fact === 'string' || typeof fact === 'number' ? [[name, fact]] : [];
    });
    return fields.length > 0 ? [Object.fromEntries(fields.slice(0, MAX_FIELDS))] : [];
  });
  return items.length > 0 ? items : undefined;
};

/** The facts of an answer, for those who want to see them all; undefined when there is none. */
export const factsOf = (answer: unknown): Record<string, Fact> | undefined => {
  const facts = Object.entries(fieldsOf(answer)).flatMap(([name, value]): [string, Fact][] => {
    const fact = factOf(value);
    return fact === undefined || !/^[A-Za-z][A-Za-z0-9]{0,39}$/.test(name) ? [] : [[name, fact]];
  });
  return facts.length > 0 ? Object.fromEntries(facts.slice(0, MAX_FIELDS)) : undefined;
};
