/** Texts for what a schema wants of one; the first that fits is taken. */
const TEXTS = [
  'text',
  'a',
  '12',
  '/music/A/B',
  'https://example.org/a',
  'ada@example.org',
  '2026-11-26T17:30:00.000Z',
  '2026-11-26',
  'audio/flac',
  'song',
  'v1.sealed',
  'podcast-7/episode.mp3',
  '123e4567-e89b-42d3-a456-426614174000',
  '0'.repeat(64),
  '0'.repeat(32),
];
/** Fields of which more is asked than JSON Schema can say. */
const FIELDS = [
  [/url$/i, 'https://example.org/a'],
  [/^patterns$/, 'rating.set'],
];
const FORMATS = {
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'date-time': '2026-11-26T17:30:00.000Z',
  uri: 'https://example.org/a',
  email: 'ada@example.org',
  ipv4: '192.0.2.1',
};

/**
 * A value that a JSON Schema allows, the same for the same schema. @param name of the field that it is for
 * @param isFull with every field and something in every list; otherwise with what must be there
 * @throws Error for a schema that it knows no value for
 */
export function exampleOf(schema, isFull, name = '') {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return exampleOf(isFull ? options[0] : options.at(-1), isFull, name);
  const type = Array.isArray(schema.type) ? schema.type.at(isFull ? 0 : -1) : schema.type;
  switch (type) {
    case 'object':
      return objectOf(schema, isFull);
    case 'array':
      return arrayOf(schema, isFull, name);
    case 'string':
      return textOf(schema, name);
    case 'integer':
    case 'number':
      return numberOf(schema, type);
    case 'boolean':
      return isFull;
    case 'null':
      return null;
    default:
      return isFull ? 'anything' : null;
  }
}

function objectOf({ properties = {}, required = [], propertyNames, additionalProperties }, isFull) {
  const present = Object.entries(properties).filter(([name]) => isFull || required.includes(name));
  const fields = Object.fromEntries(present.map(([name, schema]) => [name, exampleOf(schema, isFull, name)]));
  if (!isFull || typeof additionalProperties !== 'object' || Object.keys(properties).length > 0) return fields;
  return { [String(exampleOf(propertyNames ?? { type: 'string' }, isFull))]: exampleOf(additionalProperties, isFull) };
}

function arrayOf({ prefixItems, items = {}, minItems = 0 }, isFull, name) {
  if (prefixItems) return prefixItems.map((item) => exampleOf(item, isFull));
  return Array.from({ length: Math.max(minItems, isFull ? 1 : 0) }, () => exampleOf(items, isFull, name));
}

function textOf({ format, pattern, minLength = 0, maxLength = Infinity }, name) {
  const own = pattern ? undefined : FIELDS.find(([field]) => field.test(name))?.[1];
  if (own !== undefined) return own;
  if (format && FORMATS[format]) return FORMATS[format];
  const fits = (text) => text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text));
  const found = [...TEXTS, 'a'.repeat(Math.min(minLength, 10_000))].find(fits);
  if (found === undefined) throw new Error(`no text is known for ${JSON.stringify({ format, pattern, minLength, maxLength })}`);
  return found;
}

function numberOf({ minimum, exclusiveMinimum, maximum = Infinity }, type) {
  const least = Math.max(
    minimum ?? -Infinity,
    exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + (type === 'integer' ? 1 : 0.25),
  );
  const usual = type === 'integer' ? 7 : 0.75;
  return Math.min(Math.max(usual, least), maximum);
}
