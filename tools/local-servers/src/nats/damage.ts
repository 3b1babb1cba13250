import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file in which a stream of a server that is down keeps its oldest messages. */
const firstBlock = async (storeDir: string, stream: string): Promise<string> => {
  const folder = join(storeDir, 'jetstream', '$G', 'streams', stream, 'msgs');
  const blocks = (await readdir(folder)).filter((name) => name.endsWith('.blk'));
  const [first] = blocks.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  if (first === undefined) throw new Error(`${stream} keeps nothing in ${folder}`);
  return join(folder, first);
};

/** Cuts off the second half of a stream's block file; for tests, while the server is down. */
export async function cutBlock(storeDir: string, stream: string): Promise<void> {
  const file = await firstBlock(storeDir, stream);
  await truncate(file, Math.floor((await stat(file)).size / 2));
}

/**
 * Changes one bit of a stream's block file; for tests, while the server is down.
 * @param place from 0, the first byte, to 1, the last; or a text within a message
 * @throws Error when no message holds the text
 */
export async function flipBit(storeDir: string, stream: string, place: number | string = 0.5): Promise<void> {
  const file = await firstBlock(storeDir, stream);
  const bytes = await readFile(file);
  const at = typeof place === 'number' ? Math.floor((bytes.length - 1) * place) : bytes.indexOf(place);
  if (at < 0) throw new Error(`${stream} holds no "${place}"`);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
}
