/** Formats of scalars in a dialect of XML. */
export interface XmlStyle {
  /** `1` and `0`, or `true` and `false`. */
  readonly booleans: 'digit' | 'word';
}
