import type { XmlStyle } from './xml-style.js';

/** A value without parts. `null` is a field that is present and has no value. */
export type Scalar = string | number | boolean | null;

/**
 * Placement of a field in JSON: under its own key, its parts among the fields of its parent (`spread`), or nowhere.
 */
export type JsonPlace = 'key' | 'spread' | 'none';

/**
 * Placement of a field in XML.
 * - `attribute`: attribute of the parent's element (scalars only; absent when null)
 * - `element`: child element; a list becomes one element per item, without a wrapper
 * - `cdata`: as `element`, scalars in a CDATA section
 * - `text`, `cdata-text`: the parent's own text
 * - `wrapped`: one child element that holds a list's items, each under the name of `item`
 * - `spread`: the parts of the value among the children of the parent
 * - `none`: nowhere
 */
export type XmlPlace = 'attribute' | 'element' | 'cdata' | 'text' | 'cdata-text' | 'wrapped' | 'spread' | 'none';

/** Placement of a field in each format. */
export interface Placement {
  readonly json: JsonPlace;
  readonly xml: XmlPlace;
  /** Name in XML, when it differs from the field's. */
  readonly xmlName?: string;
  /** Name of the elements inside a `wrapped` list. */
  readonly item?: string;
}

/** One named part of an object. */
export interface FieldNode {
  readonly name: string;
  readonly value: Node;
  readonly place: Placement;
}

/** Ordered fields. The order of the fields is the order of the output. */
export interface ObjectNode {
  readonly kind: 'object';
  readonly fields: readonly FieldNode[];
}

/** Ordered items. */
export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly Node[];
}

/**
 * A list whose items are ready text in the format that will be printed: JSON values, or whole XML elements. What a long list uses, so that
 * it can flow from the database to the socket without being held; what is still to come comes in batches.
 */
export interface RenderedList {
  readonly kind: 'rendered';
  readonly items: Iterable<string> | AsyncIterable<Iterable<string>>;
  /** True for JSON items that are members of an object, each with its key: they stand in braces. */
  readonly keyed?: boolean;
  /** True for a list that is too long to be held whole. */
  readonly isLong?: boolean;
}

/** A list of objects that are read while they are written; each printer asks for the text of its own format. */
export interface ComingList {
  readonly kind: 'coming';
  readonly isEmpty: boolean;
  /** True for a list that is too long to be held whole. */
  readonly isLong: boolean;
  json(): RenderedList['items'];
  /** The items as elements of this name. */
  xml(name: string, style: XmlStyle): RenderedList['items'];
}

/** The neutral tree that every surface builds and every printer prints. */
export type Node = Scalar | ObjectNode | ListNode | RenderedList | ComingList;

/** Builds an object of the given fields. */
export const objectNode = (fields: readonly FieldNode[]): ObjectNode => ({ kind: 'object', fields });

/** Builds a list. */
export const listNode = (items: readonly Node[]): ListNode => ({ kind: 'list', items });

/** Builds a list of ready text; see {@link RenderedList}. */
export const renderedList = (items: RenderedList['items'], isLong = false): RenderedList => ({ kind: 'rendered', items, isLong });

/** Builds an object whose members are ready JSON text, `"key":value` each; in XML the same as a list. */
export const renderedMembers = (items: RenderedList['items'], isLong = false): RenderedList => ({
  ...renderedList(items, isLong),
  keyed: true,
});

/** A list that is read while it is written, in the format of a printer. */
export const rendered = ({ isLong }: ComingList, items: RenderedList['items']): RenderedList => ({ kind: 'rendered', items, isLong });

/** Key in JSON, child element in XML. */
export const AS_ELEMENT: Placement = { json: 'key', xml: 'element' };
/** Key in JSON, child element with a CDATA section in XML. */
export const AS_CDATA: Placement = { json: 'key', xml: 'cdata' };
/** Key in JSON, attribute in XML. */
export const AS_ATTRIBUTE: Placement = { json: 'key', xml: 'attribute' };

/** Builds a field; without a placement it is a key in JSON and an element in XML. */
export const fieldNode = (name: string, value: Node, place: Placement = AS_ELEMENT): FieldNode => ({ name, value, place });

/** True for a value without parts. */
export const isScalar = (node: Node): node is Scalar => node === null || typeof node !== 'object';
