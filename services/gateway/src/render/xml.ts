import type { XmlStyle } from './xml-style.js';
import { rendered, type FieldNode, type Node, type ObjectNode, type Scalar, type XmlPlace } from './node.js';
import { joinParts, PartWriter, type Part } from './parts.js';
import { xmlAttribute, xmlCdata, xmlName, xmlText } from './xml-text.js';

/** First line of every document. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A scalar's text before it is escaped; null is empty, as is a number that is none. */
export const xmlScalar = (value: Scalar, style: XmlStyle): string => {
  if (value === null) return '';
  if (typeof value === 'boolean') return style.booleans === 'digit' ? (value ? '1' : '0') : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return value;
};

const nameOf = (field: FieldNode): string => xmlName(field.place.xmlName ?? field.name);

class XmlWriter {
  readonly out = new PartWriter();
  constructor(private readonly style: XmlStyle) {}

  element(name: string, node: Node, place: XmlPlace): void {
    if (node !== null && typeof node === 'object') return this.composite(name, node, place);
    const text = xmlScalar(node, this.style);
    if (text === '') return this.out.push(`<${name}/>`);
    this.out.push(`<${name}>${place === 'cdata' ? xmlCdata(text) : xmlText(text)}</${name}>`);
  }

  private composite(name: string, node: Exclude<Node, Scalar>, place: XmlPlace): void {
    if (node.kind === 'object') return this.object(name, node);
    if (node.kind === 'rendered') return this.out.pushList(node, '');
    if (node.kind === 'coming') return this.out.pushList(rendered(node, node.xml(name, this.style)), '');
    for (const item of node.items) this.element(name, item, place);
  }

  private object(name: string, node: ObjectNode): void {
    this.out.push(`<${name}`);
    const hasBody = this.attributes(node);
    if (!hasBody) return this.out.push('/>');
    this.out.push('>');
    this.children(node);
    this.out.push(`</${name}>`);
  }

  /** Writes the attributes and tells whether anything stands between the tags. */
  private attributes(node: ObjectNode): boolean {
    let hasBody = false;
    for (const field of node.fields) {
      if (field.place.xml === 'attribute') this.attribute(field);
      else hasBody ||= this.hasBody(field);
    }
    return hasBody;
  }

  private attribute(field: FieldNode): void {
    if (field.value === null || typeof field.value === 'object') return;
    this.out.push(` ${nameOf(field)}="${xmlAttribute(xmlScalar(field.value, this.style))}"`);
  }

  private hasBody(field: FieldNode): boolean {
    const { value, place } = field;
    if (place.xml === 'none') return false;
    if (value !== null && typeof value === 'object' && value.kind === 'list' && place.xml !== 'wrapped') return value.items.length > 0;
    if (value !== null && typeof value === 'object' && value.kind === 'coming' && place.xml !== 'wrapped') return !value.isEmpty;
    if (place.xml === 'text' || place.xml === 'cdata-text') return value !== null && value !== '';
    if (place.xml !== 'spread') return true;
    return value !== null && typeof value === 'object' && (value.kind !== 'object' || value.fields.some((inner) => this.hasBody(inner)));
  }

  children(node: ObjectNode): void {
    for (const field of node.fields) this.child(field);
  }

  private child(field: FieldNode): void {
    const { value, place } = field;
    switch (place.xml) {
      case 'none':
      case 'attribute':
        return;
      case 'text':
      case 'cdata-text':
        return this.ownText(value, place.xml);
      case 'spread':
        return this.spread(value);
      case 'wrapped':
        return this.wrapped(field);
      default:
        return this.element(nameOf(field), value, place.xml);
    }
  }

  private ownText(value: Node, place: XmlPlace): void {
    if (value !== null && typeof value === 'object') return;
    const text = xmlScalar(value, this.style);
    if (text !== '') this.out.push(place === 'cdata-text' ? xmlCdata(text) : xmlText(text));
  }

  private spread(value: Node): void {
    if (value !== null && typeof value === 'object' && value.kind === 'object') this.children(value);
  }

  private wrapped(field: FieldNode): void {
    const name = nameOf(field);
    const { value } = field;
    if (value === null || typeof value !== 'object' || value.kind === 'object') return this.element(name, value, 'element');
    const isEmpty = (value.kind === 'list' && value.items.length === 0) || (value.kind === 'coming' && value.isEmpty);
    if (isEmpty) return this.out.push(`<${name}/>`);
    this.out.push(`<${name}>`);
    this.composite(field.place.item ?? name, value, 'element');
    this.out.push(`</${name}>`);
  }
}

/** Prints a tree as the element `root`: text, and the lists that are still to be pulled. */
export const xmlParts = (root: string, node: Node, style: XmlStyle): Part[] => {
  const writer = new XmlWriter(style);
  writer.out.push(XML_DECLARATION);
  writer.element(root, node, 'element');
  return writer.out.finish();
};

/** Prints one element without the declaration: an item of a {@link RenderedList}. */
export const printXmlElement = (name: string, node: Node, style: XmlStyle, place: XmlPlace = 'element'): string => {
  const writer = new XmlWriter(style);
  writer.element(name, node, place);
  return joinParts(writer.out.finish());
};
