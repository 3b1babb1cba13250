import { joinParts } from '../../src/render/parts.js';
import { jsonParts } from '../../src/render/json.js';
import type { Node, ObjectNode } from '../../src/render/node.js';
import { xmlParts } from '../../src/render/xml.js';
import type { XmlStyle } from '../../src/render/xml-style.js';

/** Prints a tree that is wholly at hand as JSON. */
export const printJson = (node: Node): string => joinParts(jsonParts(node));

/** Prints a tree that is wholly at hand as an XML document. */
export const printXml = (root: string, node: ObjectNode, style: XmlStyle): string => joinParts(xmlParts(root, node, style));
