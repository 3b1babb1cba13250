const MIB = 1024 * 1024;

/** The comment above each field of a settings schema, by the field's name: the text of the block comment right before it. */
export function commentsIn(source) {
  const found = source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*([A-Z][A-Z0-9_]*):/g);
  return Object.fromEntries([...found].map(([, comment, name]) => [name, comment.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim()]));
}

/** Names of the fields of a settings schema. */
export function namesIn(source) {
  return [...source.matchAll(/^\s+([A-Z][A-Z0-9_]*):\s*z\b/gm)].map(([, name]) => name);
}

/** Describes the values and the default of a zod schema: `{ values, byDefault }`, ready to be shown. */
export function describeSetting(schema) {
  const { innermost, byDefault, isOptional } = unwrap(schema);
  return { values: valuesOf(innermost), byDefault: shownDefault(byDefault, isOptional) };
}

function unwrap(schema, byDefault, isOptional = false) {
  const { def } = schema;
  if (def.type === 'default') return unwrap(def.innerType, def.defaultValue, isOptional);
  if (def.type === 'optional' || def.type === 'nullable') return unwrap(def.innerType, byDefault, true);
  if (def.type === 'pipe') return unwrap(def.in, byDefault, isOptional);
  return { innermost: schema, byDefault, isOptional };
}

function valuesOf(schema) {
  const { def } = schema;
  if (def.type === 'enum')
    return Object.values(def.entries)
      .map((word) => `\`${word}\``)
      .join(', ');
  if (def.type === 'number') return range(schema.isInt ? 'whole number' : 'number', schema.minValue, schema.maxValue);
  if (def.format === 'url') return 'URL';
  return schema.minLength > 1 ? `text, at least ${schema.minLength} characters` : 'text';
}

function range(what, from, to) {
  const least = Number.isFinite(from) && from > Number.MIN_SAFE_INTEGER ? from : undefined;
  const most = Number.isFinite(to) && to < Number.MAX_SAFE_INTEGER ? to : undefined;
  if (least !== undefined && most !== undefined) return `${what}, ${least} to ${most}`;
  return least === undefined ? what : `${what} from ${least}`;
}

function shownDefault(value, isOptional) {
  if (value === undefined) return isOptional ? 'none' : '**required**';
  if (value === '') return 'empty';
  return typeof value === 'number' && value >= MIB && value % MIB === 0 ? `\`${value}\` (${value / MIB} MiB)` : `\`${value}\``;
}

/** A comment as operators read it: without the places in specifications that explain it to programmers. */
const forOperators = (meaning) => meaning.replaceAll(/ \([^)]*\bsection [\d.]+\)/g, '');
const shown = (meaning) => forOperators(meaning).replaceAll('|', '\\|');

const WIDTH = 140;
const quoted = (text) => (text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`);

/** A module that names the meaning of each setting, formatted as the sources are. */
export function meaningsModule(meanings) {
  const lines = Object.entries(meanings)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, meaning]) => {
      const text = quoted(forOperators(meaning).replaceAll('`', ''));
      const line = `  ${name}: ${text},`;
      return line.length > WIDTH ? `  ${name}:\n    ${text},` : line;
    });
  const head = '/** Meanings of settings by name, in English. Written by tools/checks/config-table.mjs from the comments above them. */';
  return `${head}\nexport const settingMeanings: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n};\n`;
}

/** A Markdown table of settings; nothing at all when there are none. */
export function tableOf(settings) {
  if (settings.length === 0) return 'Only the common settings.';
  const rows = settings.map(({ name, byDefault, values, meaning }) => `| \`${name}\` | ${byDefault} | ${values} | ${shown(meaning)} |`);
  return ['| Variable | Default | Values | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** Puts tables between their marks, `<!-- table: name -->` and `<!-- end -->`. @throws Error when a table has no place on the page */
export function fillTables(page, tables) {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- table: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
    if (!place.test(text)) throw new Error(`the page has no place for the table "${name}"`);
    return text.replace(place, (_, begin, end) => `${begin}\n${table}\n\n${end}`);
  }, page);
}
