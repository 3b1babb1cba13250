import { rendered, type FieldNode, type Node, type Scalar } from './node.js';
import { PartWriter, type Part } from './parts.js';

// What has to be escaped between quotes, and surrogates, which may stand alone.
// oxlint-disable-next-line no-control-regex
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

/** True for a text that stands between quotes as it is. */
export const isPlainText = (text: string): boolean => !SPECIAL.test(text);

/** A scalar as JSON. Numbers that JSON cannot hold become null; `JSON.stringify` escapes lone surrogates. */
export const jsonScalar = (value: Scalar): string => {
  if (typeof value === 'string') return isPlainText(value) ? `"${value}"` : JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  return String(value);
};

const writeField = (field: FieldNode, comma: boolean, out: PartWriter): boolean => {
  if (field.place.json === 'none') return comma;
  if (field.place.json === 'spread') return writeSpread(field.value, comma, out);
  out.push(`${comma ? ',' : ''}${JSON.stringify(field.name)}:`);
  write(field.value, out);
  return true;
};

const writeSpread = (value: Node, comma: boolean, out: PartWriter): boolean => {
  if (value === null || typeof value !== 'object' || value.kind !== 'object') return comma;
  return value.fields.reduce((written, field) => writeField(field, written, out), comma);
};

const writeItems = (items: readonly Node[], out: PartWriter): void => {
  items.forEach((item, index) => {
    if (index > 0) out.push(',');
    write(item, out);
  });
};

const write = (node: Node, out: PartWriter): void => {
  if (node === null || typeof node !== 'object') return out.push(jsonScalar(node));
  if (node.kind === 'object') {
    out.push('{');
    writeSpread(node, false, out);
    return out.push('}');
  }
  if (node.kind === 'coming') return write(rendered(node, node.json()), out);
  const isKeyed = node.kind === 'rendered' && node.keyed === true;
  out.push(isKeyed ? '{' : '[');
  if (node.kind === 'list') writeItems(node.items, out);
  else out.pushList(node, ',');
  out.push(isKeyed ? '}' : ']');
};

/** Prints a tree as JSON: text, and the lists that are still to be pulled. */
export const jsonParts = (node: Node): Part[] => {
  const out = new PartWriter();
  write(node, out);
  return out.finish();
};
