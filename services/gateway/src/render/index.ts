export { compileJson, compileXml, type ObjectText } from './compile.js';
export { inBatches, FOLDED_BATCH, HELD_AT_MOST, type ReadBatch } from './flow.js';
export { jsonParts } from './json.js';
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
} from './object-table.js';
export { gatherParts, isLong, streamParts, type KeepWhole, type Part } from './parts.js';
export { rowsOf, type RowFactories, type RowOptions } from './rows.js';
export { xmlAttribute, xmlText } from './xml-text.js';
export { printXmlElement, xmlParts } from './xml.js';
export { type XmlStyle } from './xml-style.js';
