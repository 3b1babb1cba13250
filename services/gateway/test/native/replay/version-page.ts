import { create } from 'xmlbuilder2';
import type { ApiVersion, Format } from '../../../src/apis/native/versions/policy.js';

/** Requests an answer in a version. */
export type AskVersion = (version: ApiVersion, format: Format, query: string) => Promise<string>;

const columns: readonly { readonly version: ApiVersion; readonly format: Format }[] = [
  { version: 8, format: 'json' },
  { version: 6, format: 'json' },
  { version: 5, format: 'json' },
  { version: 4, format: 'json' },
  { version: 3, format: 'xml' },
];
const MOST = 30;

const shortened = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);
/** A value; for objects and lists their structure only. */
const outline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.length > 0 ? outline(value[0]) : ''}]`;
  if (value !== null && typeof value === 'object') return `{${Object.keys(value).join(', ')}}`;
  return shortened(JSON.stringify(value));
};
const cell = (value: unknown): string => (value === undefined ? '' : `\`${outline(value).replaceAll('|', '\\|')}\``);
/** Cells of a row, with a sign for values equal to the newer version on the left. */
const comparedCells = (values: readonly unknown[]): string[] =>
  values.map(cell).map((text, index, all) => (index > 0 && text !== '' && text === all[index - 1] ? '=' : text));
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

type Fields = ReadonlyMap<string, unknown>;

/** Fields of the one object in an answer. */
const fieldsIn = (format: Format, text: string): Fields => {
  if (format === 'json') {
    const answer = JSON.parse(text) as object;
    return new Map(Object.entries(Array.isArray(answer) ? (answer[0] as object) : answer));
  }
  const { root } = create(text).end({ format: 'object' }) as unknown as { root: Record<string, Record<string, unknown>> };
  const { song = {} } = root;
  return new Map(Object.entries(song).map(([name, value]) => [name, plain(value)]));
};

/** Value of an element: its text, or its attributes and text. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name === '$' || name === '#' ? 'text' : name, plain(inner)] as const);
  if (entries.length === 0) return '';
  return entries.length === 1 && entries[0]?.[0] === 'text' ? entries[0][1] : Object.fromEntries(entries);
};

/** Names in the order of the newest version, with those of older ones at their position. */
const namesIn = (objects: readonly Fields[]): string[] => {
  const names: string[] = [];
  for (const object of objects) {
    let at = -1;
    for (const name of object.keys()) {
      const known = names.indexOf(name);
      if (known < 0) names.splice(at + 1, 0, name);
      at = known < 0 ? at + 1 : known;
    }
  }
  return names;
};

const flat = (text: string): string =>
  text
    .replace(/<\?xml[^>]*\?>\s*/, '')
    .replaceAll(/\s*\n\s*/g, '')
    .trim();

const HEAD = ['8', '6', '5', '4', '3 (XML)'];

const envelopes = async (ask: AskVersion): Promise<string> => {
  const asked: readonly (readonly [string, string])[] = [
    ['a list', 'action=genres&limit=1'],
    ['nothing found', 'action=songs&filter=no%20such%20song'],
    ['success', 'action=rate&type=song&filter=1&rating=5'],
    ['an error', 'action=song&filter=999'],
  ];
  const lines = asked.flatMap(([what, query]) =>
    columns.map(async ({ version, format }) => [
      what,
      String(version),
      `\`${flat(await ask(version, format, query)).replaceAll('|', '\\|')}\``,
    ]),
  );
  return table(['', 'version', 'answer'], await Promise.all(lines));
};

/** Page with one song in all versions, from real answers. */
export const versionPage = async (ask: AskVersion, title: string): Promise<string> => {
  const objects = await Promise.all(
    columns.map(async ({ version, format }) => fieldsIn(format, await ask(version, format, 'action=song&filter=1'))),
  );
  const rows = namesIn(objects).map((name) => [`\`${name}\``, ...comparedCells(objects.map((object) => object.get(name)))]);
  return [
    `# ${title}`,
    '',
    'One song in the five versions of the native API, field by field, as the server answers it. This page is written by `version-page.int.spec.ts` from real answers and',
    'compared with them on every run; `pnpm exec vitest run -u --project int version-page` writes it anew. An empty cell is a field that the version does not have, `=` is',
    'what stands on its left. Of objects and lists the page has only the keys.',
    'Version 3 exists in XML alone (`text` is what stands between the tags); asked for JSON it answers as version 6.',
    '',
    table(['field', ...HEAD], rows),
    '',
    '## Envelopes',
    '',
    await envelopes(ask),
    '',
    'Where each difference is written down: a field by `since` and `until` in its row (`native/objects/*.object.ts`), an envelope in the version’s policy (`native/versions/`).',
    '',
  ].join('\n');
};
