/** Pieces of feeds for specs. */
export const ITUNES = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"';

/** An item with a file, and what else is said. */
export const item = (name: string, more = `<guid>${name}</guid>`): string =>
  `<item><title>${name}</title>${more}<enclosure url="https://files.example/${name}.mp3" type="audio/mpeg" length="1234"/></item>`;

/** An RSS 2 document of a show called Garden Talk. */
export const rss = (body: string, attributes = ITUNES): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${attributes}><channel><title>Garden Talk</title>${body}</channel></rss>`;

/** An Atom document of the same. */
export const atom = (body: string): string =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:lang="nl"><title>Garden Talk</title>${body}</feed>`;

/** A text as a source of bytes in pieces of a size. */
export async function* pieces(text: string | Uint8Array, size = 700): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
