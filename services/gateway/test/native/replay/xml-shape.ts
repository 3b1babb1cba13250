import { create } from 'xmlbuilder2';
import { addElement, emptyShape, type ElementLike, type Shape } from './shape.js';

interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DomNode>;
  readonly attributes?: Iterable<{ readonly name: string }>;
}
const ELEMENT = 1;

const elementOf = (node: DomNode): ElementLike => ({
  nodeName: node.nodeName,
  attributes: node.attributes ?? [],
  children: [...node.childNodes].filter((child) => child.nodeType === ELEMENT).map(elementOf),
  text: node.textContent ?? '',
});

/** Root of an XML document. @throws Error when it is invalid */
export const xmlElement = (text: string): ElementLike => elementOf(create(text).root().node);

/** Shape of an XML document. @throws Error when it is invalid */
export const xmlShape = (text: string): Shape => {
  const shape = emptyShape();
  addElement(shape, xmlElement(text));
  return shape;
};
