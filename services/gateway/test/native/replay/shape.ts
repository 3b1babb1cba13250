/**
 * Shape of a document: types of values, order of keys, nesting. Items of an array are merged into one shape, as are members of an object
 * whose keys are ids.
 */
export interface Shape {
  /** Types of values; `null` and empty XML elements are left out. */
  readonly kinds: Set<string>;
  /** Members of an object or element, in order. */
  readonly members: Map<string, Shape>;
  /** Shape of array items. */
  items?: Shape;
}

const ID_KEY = /^(?:\d+|smart_\d+)$/;
/** Objects whose keys are data. */
const MAPS: ReadonlySet<string> = new Set(['metadata', 'plugin']);
/** Element with a kind and then a text or an object whose keys are data. */
const CHOICES = 'widget';

export const emptyShape = (): Shape => ({ kinds: new Set(), members: new Map() });

/** Adds a member after the given one. */
export const memberAt = (shape: Shape, name: string, previous: string | undefined): Shape => {
  const known = shape.members.get(name);
  if (known) return known;
  const fresh = emptyShape();
  const entries = [...shape.members];
  const at = previous === undefined ? 0 : entries.findIndex(([key]) => key === previous) + 1;
  entries.splice(at, 0, [name, fresh]);
  shape.members.clear();
  for (const [key, value] of entries) shape.members.set(key, value);
  return fresh;
};

const addObject = (shape: Shape, value: object): void => {
  shape.kinds.add('object');
  let previous: string | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const name = ID_KEY.test(key) ? '{id}' : key;
    const member = memberAt(shape, name, previous);
    if (MAPS.has(key)) member.kinds.add('map');
    else if (key === CHOICES && Array.isArray(inner)) member.kinds.add('array');
    else addValue(member, inner);
    previous = name;
  }
};

/** Merges a JSON value. */
export const addValue = (shape: Shape, value: unknown): void => {
  if (value === null) return;
  if (Array.isArray(value)) {
    shape.kinds.add('array');
    for (const item of value) addValue((shape.items ??= emptyShape()), item);
  } else if (typeof value === 'object') addObject(shape, value);
  else shape.kinds.add(typeof value);
};

/** Shape of a JSON text. */
export const jsonShape = (text: string): Shape => {
  const shape = emptyShape();
  addValue(shape, JSON.parse(text));
  return shape;
};

/** A parsed XML element. */
export interface ElementLike {
  readonly nodeName: string;
  readonly attributes: Iterable<{ readonly name: string }>;
  readonly children: readonly ElementLike[];
  readonly text: string;
}

/** Merges an element. */
export const addElement = (shape: Shape, element: ElementLike): void => {
  let previous: string | undefined;
  for (const { name } of element.attributes) {
    memberAt(shape, `@${name}`, previous).kinds.add('text');
    previous = `@${name}`;
  }
  for (const child of element.children) {
    addElement(memberAt(shape, child.nodeName, previous), child);
    previous = child.nodeName;
  }
  if (element.children.length > 0) shape.kinds.add('elements');
  else if (element.text.trim() !== '') shape.kinds.add('text');
};

const kindDifference = (theirs: Shape, ours: Shape, at: string): string[] => {
  const [wanted, got] = [[...theirs.kinds], [...ours.kinds]];
  if (wanted.length === 0 || got.length === 0 || wanted.some((kind) => ours.kinds.has(kind))) return [];
  return [`${at}: ${got.join('|')} instead of ${wanted.join('|')}`];
};

const orderDifference = (theirs: Shape, ours: Shape, at: string): string[] => {
  const wanted = [...theirs.members.keys()].filter((name) => ours.members.has(name));
  const got = [...ours.members.keys()].filter((name) => theirs.members.has(name));
  const place = wanted.findIndex((name, index) => got[index] !== name);
  return place < 0 ? [] : [`${at}: ${got[place]} before ${wanted[place]}`];
};

const tellsMembers = (shape: Shape): boolean => shape.kinds.has('object') || shape.kinds.has('elements');

const memberDifferences = (theirs: Shape, ours: Shape, at: string): string[] => {
  if (!tellsMembers(theirs) || !tellsMembers(ours)) return [];
  const missing = [...theirs.members.keys()].filter((name) => !ours.members.has(name)).map((name) => `${at}.${name}: missing`);
  const extra = [...ours.members.keys()].filter((name) => !theirs.members.has(name)).map((name) => `${at}.${name}: extra`);
  const inner = [...theirs.members].flatMap(([name, shape]) =>
    shapeDifferences(shape, ours.members.get(name) ?? emptyShape(), `${at}.${name}`),
  );
  return [...missing, ...extra, ...orderDifference(theirs, ours, at), ...inner];
};

/** Differences of our document, one line each: missing, extra, other order or other type. */
export const shapeDifferences = (theirs: Shape, ours: Shape, at = ''): string[] => [
  ...kindDifference(theirs, ours, at),
  ...memberDifferences(theirs, ours, at),
  ...(theirs.items && ours.items ? shapeDifferences(theirs.items, ours.items, `${at}[]`) : []),
];
