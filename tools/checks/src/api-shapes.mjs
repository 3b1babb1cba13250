/*
 * Shapes of answers in the notation of contracts/api: a text is a type (`string|null`, `'ok'|'failed'`, `integer 1..5`, `Child[]`), an object has a
 * shape for each key (`key?` may be missing, `...` stands for all other keys, `<` names a type whose keys it has too), a list of one shape is an
 * array, and `{"|": [...]}` is one of several shapes.
 */

const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value));
const range = ({ minimum, maximum }) => (minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}..${maximum ?? ''}`);
const either = (shapes) => (shapes.every((shape) => typeof shape === 'string') ? shapes.join('|') : { '|': shapes });
const refName = ({ $ref }) => $ref.split('/').at(-1);

const objectShape = (schema, isOpen) => {
  const required = new Set(schema.required);
  const keys = Object.entries(schema.properties ?? {}).map(([key, of]) => [required.has(key) ? key : `${key}?`, shapeOf(of, isOpen)]);
  const { additionalProperties: others = true } = schema;
  const rest = others === true ? 'any' : others && shapeOf(others, isOpen);
  return { ...Object.fromEntries(keys), ...(isOpen && rest ? { '...': rest } : {}) };
};

const arrayShape = (items, isOpen) => {
  const item = items ? shapeOf(items, isOpen) : 'any';
  return typeof item === 'string' && !item.includes('|') ? `${item}[]` : [item];
};

/** Parts of an `allOf`: named types are followed, all others give their keys. */
const merged = (parts, isOpen) => {
  if (parts.length === 1) return shapeOf(parts[0], isOpen);
  const bases = parts.filter((part) => part.$ref).map(refName);
  return Object.assign({ '<': bases.join(' ') }, ...parts.filter((part) => !part.$ref).map((part) => objectShape(part, isOpen)));
};

/**
 * The shape of a JSON schema. `isOpen`: keys that the schema does not name are allowed where it does not forbid them, and noted as `...`.
 */
export const shapeOf = (schema, isOpen) => {
  if (schema.$ref) return refName(schema);
  if (schema.allOf) return merged(schema.allOf, isOpen);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return either([...choices.map((one) => shapeOf(one, isOpen)), ...(schema.nullable ? ['null'] : [])]);
  const plain = () => {
    if (schema.enum) return either(schema.enum.filter((value) => value !== null).map(literal));
    if (schema.type === 'object' || schema.properties) return objectShape(schema, isOpen);
    if (schema.type === 'array') return arrayShape(schema.items, isOpen);
    return schema.format === 'date-time' ? 'date-time' : `${schema.type ?? 'any'}${range(schema)}`;
  };
  return schema.nullable ? either([plain(), 'null']) : plain();
};

/** Named types that a shape mentions. */
export const namesIn = (shape) => {
  if (typeof shape === 'string') return shape.match(/\b[A-Z_]\w+/g) ?? [];
  return Object.values(shape).flatMap(namesIn);
};

/** Adds the shapes of all types that are named in `shapes`, directly or not. */
export const withNamed = (shapes, schemas, isOpen) => {
  const types = {};
  const add = (name) => {
    if (name in types || !(name in schemas)) return;
    types[name] = shapeOf(schemas[name], isOpen);
    namesIn(types[name]).forEach(add);
  };
  namesIn(shapes).forEach(add);
  return Object.fromEntries(Object.entries(types).toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

const CARDINALITY = { 0: { 1: '?', unbounded: '*' }, 1: { 1: '', unbounded: '+' } };
const unprefixed = (name) => name.replace(/^(?:xs|sub):/, '');

/** The types of an XML schema: `@key` is an attribute, `key` an element (`?`, `*`, `+` as in regular expressions), `text` stands for text content. */
export const xmlTypes = (xsd) => {
  const types = {};
  for (const [, name, mixed, body] of xsd.matchAll(/<xs:complexType name="(\w+)"( mixed="true")?>([^]*?)<\/xs:complexType>/g)) {
    const base = /<xs:extension base="sub:(\w+)"/.exec(body)?.[1];
    const elements = [...body.matchAll(/<xs:element name="(\w+)" type="([\w:]+)" minOccurs="(\d)" maxOccurs="(\w+)"/g)].map(
      ([, key, type, least, most]) => [`${key}${CARDINALITY[least][most]}`, unprefixed(type)],
    );
    const attributes = [...body.matchAll(/<xs:attribute name="(\w+)" type="([\w:]+)" use="(\w+)"/g)].map(([, key, type, use]) => [
      `@${key}${use === 'required' ? '' : '?'}`,
      unprefixed(type),
    ]);
    const content = Object.fromEntries(elements);
    types[name] = {
      ...(base ? { '<': base } : {}),
      ...(mixed ? { text: 'string' } : {}),
      ...(body.includes('<xs:choice') ? { '|': content } : content),
      ...Object.fromEntries(attributes),
    };
  }
  for (const [, name, base, body] of xsd.matchAll(
    /<xs:simpleType name="(\w+)">\s*<xs:restriction base="xs:(\w+)">([^]*?)<\/xs:restriction>/g,
  )) {
    const values = [...body.matchAll(/<xs:enumeration value="(\w+)"/g)].map(([, value]) => literal(value));
    const [minimum, maximum] = ['min', 'max'].map((end) => new RegExp(`<xs:${end}Inclusive value="([\\d.]+)"`).exec(body)?.[1]);
    const pattern = /<xs:pattern value="([^"]+)"/.exec(body)?.[1];
    types[name] = values.length > 0 ? values.join('|') : pattern ? `/${pattern}/` : `${base}${range({ minimum, maximum })}`;
  }
  return types;
};
