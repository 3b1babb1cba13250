import type { IAudioMetadata } from 'music-metadata';
import { cleanText } from './text.js';

/** Tag types from the most to the least trusted, where a file has several. */
const PRIORITY = ['matroska', 'APEv2', 'vorbis', 'ID3v2.4', 'ID3v2.3', 'ID3v2.2', 'asf', 'iTunes', 'exif', 'AIFF', 'ID3v1'];
const PREFIX = /^(?:TXXX:|----:[^:]*:|WM\/|(?:segment|album|track|part|edition|session):)/i;
/** Tag types whose names are free text, so that anything unknown among them is the tagger's own. */
const FREE_NAMES = new Set(['vorbis', 'APEv2', 'matroska', 'asf']);

/** The tags of a file by lower-case name without the prefixes of their format, for what the parser's common view leaves out or flattens. */
export class TagBag {
  private readonly values = new Map<string, unknown[]>();
  /** The tag type that the values of a name are of. */
  private readonly types = new Map<string, string>();
  /** Names under which a tagger put something of its own (`TXXX`, iTunes free-form, any Vorbis or APE key). */
  readonly customNames: ReadonlySet<string>;

  constructor(native: IAudioMetadata['native']) {
    const custom = new Set<string>();
    const types = Object.keys(native).toSorted((a, b) => rank(a) - rank(b));
    for (const type of types) {
      const own = new Map<string, unknown[]>();
      for (const { id, value } of native[type] ?? []) {
        const name = id.replace(PREFIX, '').toLowerCase().trim();
        if (FREE_NAMES.has(type) || PREFIX.test(id)) custom.add(name);
        const known = own.get(name);
        if (known) known.push(value);
        else own.set(name, [value]);
      }
      for (const [name, list] of own) {
        if (this.values.has(name)) continue;
        this.values.set(name, list);
        this.types.set(name, type);
      }
    }
    this.customNames = custom;
  }

  /** All values of the first of the names that is present, as the parser gave them. */
  all(...names: string[]): unknown[] {
    for (const name of names) {
      const found = this.values.get(name);
      if (found) return found.flat();
    }
    return [];
  }

  /** The most trusted tag type that has any of the names. */
  typeOf(...names: string[]): string | undefined {
    return names.flatMap((name) => this.types.get(name) ?? []).toSorted((a, b) => rank(a) - rank(b))[0];
  }

  /** The first plain text among the values of the names. */
  text(...names: string[]): string | undefined {
    for (const value of this.all(...names)) {
      const text = cleanText(value);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

const rank = (type: string): number => {
  const place = PRIORITY.indexOf(type);
  return place < 0 ? PRIORITY.length : place;
};
