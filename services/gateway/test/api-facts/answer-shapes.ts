/** A shape in the notation of contracts/api (see its README). */
export type Shape = string | { readonly [key: string]: Shape } | readonly Shape[];

/** Shapes by the names of their types. */
export type ShapeTypes = Readonly<Record<string, Shape>>;

const isObject = (shape: Shape | undefined): shape is { readonly [key: string]: Shape } =>
  typeof shape === 'object' && !Array.isArray(shape);

const textOf = (shape: Shape): string => (typeof shape === 'string' ? shape : '');

/** The keys of a shape with those of the types that it extends. */
export const keysOf = (shape: Shape | undefined, types: ShapeTypes): Readonly<Record<string, Shape>> => {
  if (!isObject(shape)) return {};
  const { '<': bases = '', ...own } = shape;
  const inherited = textOf(bases)
    .split(' ')
    .map((name) => keysOf(types[name], types));
  return Object.assign({}, ...inherited, own) as Record<string, Shape>;
};

const typeSchema = (type: string): object => {
  if (type.endsWith('[]')) return { type: 'array', items: typeSchema(type.slice(0, -2)) };
  if (type.startsWith("'")) return { const: type.slice(1, -1) };
  if (/^\d+$/.test(type)) return { const: Number(type) };
  if (/^[A-Z_]/.test(type)) return { $ref: `#/$defs/${type}` };
  if (type === 'any') return {};
  if (type === 'date-time') return { type: 'string', format: type };
  const [name = '', range = '..'] = type.split(' ');
  const [minimum = '', maximum = ''] = range.split('..');
  return { type: name, ...(minimum && { minimum: Number(minimum) }), ...(maximum && { maximum: Number(maximum) }) };
};

/** The JSON schema of a shape, which allows no keys that it does not name. Types are referred to as `#/$defs/<name>`. */
export const schemaOf = (shape: Shape, types: ShapeTypes): object => {
  if (typeof shape === 'string') return shape.includes('|') ? { anyOf: shape.split('|').map(typeSchema) } : typeSchema(shape);
  if (!isObject(shape)) return { type: 'array', items: schemaOf(shape[0] ?? 'any', types) };
  if ('|' in shape) return { anyOf: (shape['|'] as readonly Shape[]).map((one) => schemaOf(one, types)) };
  const { '...': others, ...keys } = keysOf(shape, types);
  const properties = Object.entries(keys).map(([key, of]) => [key.replace(/\?$/, ''), schemaOf(of, types)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as object,
    required: Object.keys(keys).filter((key) => !key.endsWith('?')),
    additionalProperties: others === undefined ? false : schemaOf(others, types),
  };
};

/** The JSON schemas of all types, for `$defs`. */
export const schemasOf = (types: ShapeTypes): object =>
  Object.fromEntries(Object.entries(types).map(([name, shape]) => [name, schemaOf(shape, types)]));

const OCCURS: Readonly<Record<string, string>> = { '?': '0" maxOccurs="1', '*': '0" maxOccurs="unbounded', '+': '1" maxOccurs="unbounded' };

const simpleType = (type: string): string => {
  if (type.startsWith('/')) return `<xs:restriction base="xs:string"><xs:pattern value="${type.slice(1, -1)}"/></xs:restriction>`;
  const [base = '', range = ''] = type.startsWith("'") ? ['string'] : type.split(' ');
  const [minimum, maximum] = range.split('..');
  const values = type.startsWith("'") ? type.split('|').map((value) => `<xs:enumeration value="${value.slice(1, -1)}"/>`) : [];
  const ends = maximum ? [`<xs:minInclusive value="${minimum}"/><xs:maxInclusive value="${maximum}"/>`] : [];
  return `<xs:restriction base="xs:${base}">${[...values, ...ends].join('')}</xs:restriction>`;
};

const complexType = (shape: Readonly<Record<string, Shape>>, typeName: (type: Shape) => string): string => {
  const { '<': base, '|': choice, text: _text, ...own } = shape;
  const elements = Object.entries((choice ?? own) as Record<string, Shape>)
    .filter(([key]) => !key.startsWith('@'))
    .map(([key, type]) => {
      const [, name, occurs = ''] = /^(\w+)([?*+])?$/.exec(key) ?? [];
      return `<xs:element name="${name}" type="${typeName(type)}" minOccurs="${OCCURS[occurs] ?? '1" maxOccurs="1'}"/>`;
    });
  const attributes = Object.entries(own)
    .filter(([key]) => key.startsWith('@'))
    .map(([key, type]) => {
      const use = key.endsWith('?') ? 'optional' : 'required';
      return `<xs:attribute name="${key.replaceAll(/^@|\?$/g, '')}" type="${typeName(type)}" use="${use}"/>`;
    });
  const model = choice ? '<xs:choice minOccurs="0">' : '<xs:sequence>';
  const content = `${model}${elements.join('')}${model.replace(/^<([\w:]+).*$/, '</$1>')}${attributes.join('')}`;
  return base ? `<xs:complexContent><xs:extension base="${typeName(base)}">${content}</xs:extension></xs:complexContent>` : content;
};

/** The XML schema of types with attributes and elements, and one root element of the type `Response`. */
export const xmlSchemaOf = (types: ShapeTypes, namespace: string): string => {
  const typeName = (type: Shape): string => `${textOf(type) in types ? 'own' : 'xs'}:${textOf(type)}`;
  const definitions = Object.entries(types).map(([name, shape]) =>
    isObject(shape)
      ? `<xs:complexType name="${name}"${'text' in shape ? ' mixed="true"' : ''}>${complexType(shape, typeName)}</xs:complexType>`
      : `<xs:simpleType name="${name}">${simpleType(textOf(shape))}</xs:simpleType>`,
  );
  return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:own="${namespace}" targetNamespace="${namespace}" \
elementFormDefault="qualified"><xs:element name="subsonic-response" type="own:Response"/>${definitions.join('')}</xs:schema>`;
};
