export { compileJson, compileXml, type ObjectText } from './compile.js';
export { jsonParts, jsonScalar, printJson } from './json.js';
export * from './node.js';
export { buildObject, objectTable, rowsFor, type FieldRow, type ObjectTable, type Profile, type TextOf } from './object-table.js';
export { gatherParts, joinParts, streamParts, type Part } from './parts.js';
export { rowsOf, type RowFactories, type RowOptions } from './rows.js';
export { cleanXml, xmlAttribute, xmlCdata, xmlName, xmlText } from './xml-text.js';
export { printXml, printXmlElement, xmlParts, XML_DECLARATION, type XmlStyle } from './xml.js';
