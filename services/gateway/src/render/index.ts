export { compileJson, compileXml, type ObjectText } from './compile.js';
export { Flow, flowOf, heldFlow, inBatches, FOLDED_BATCH, HELD_AT_MOST, type Listed, type ReadBatch } from './flow.js';
export { jsonParts, jsonScalar, printJson } from './json.js';
export * from './node.js';
export {
  buildObject,
  objectTable,
  rowsFor,
  type AnyTable,
  type FieldKind,
  type FieldRow,
  type FieldShape,
  type ObjectTable,
  type Profile,
  type TextOf,
} from './object-table.js';
export { gatherParts, isLong, joinParts, streamParts, type KeepWhole, type Part } from './parts.js';
export { rowsOf, uncheckedRowsOf, type Declared, type RowFactories, type RowOptions } from './rows.js';
export { cleanXml, xmlAttribute, xmlCdata, xmlName, xmlText } from './xml-text.js';
export { printXml, printXmlElement, xmlParts, XML_DECLARATION } from './xml.js';
export { type XmlStyle } from './xml-style.js';
