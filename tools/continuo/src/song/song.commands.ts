import { songId, writtenTags, type WrittenTags } from '@continuo/contracts';
import { Command } from 'commander';
import { OperatorError } from '@continuo/operations';
import type { Cli } from '../cli.js';

/** Names on the command line, and the tags that they mean. Names that may come several times have one value each time. */
const lists: Readonly<Record<string, keyof WrittenTags>> = {
  artist: 'artists',
  albumartist: 'albumArtists',
  genre: 'genres',
  mood: 'moods',
  composer: 'composers',
  isrc: 'isrcs',
};
const singles: Readonly<Record<string, keyof WrittenTags>> = { title: 'title', album: 'album', date: 'date', comment: 'comment' };
const numbers: Readonly<Record<string, keyof WrittenTags>> = { track: 'track', disk: 'disk', bpm: 'bpm' };

/** Reads `name=value` pairs. @throws OperatorError for a name that is not known, or a value that is no use */
export const tagsOf = (pairs: readonly string[]): WrittenTags => {
  const tags: Record<string, string | number | string[]> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).toLowerCase(), pair.slice(at + 1)];
    const list = lists[name];
    const single = singles[name];
    const number = numbers[name];
    if (at > 0 && list) tags[list] = [...((tags[list] as string[] | undefined) ?? []), ...(value === '' ? [] : [value])];
    else if (at > 0 && single) tags[single] = value;
    else if (at > 0 && number) tags[number] = value === '' ? 0 : Number(value);
    else
      throw new OperatorError(
        `"${pair}" is no tag`,
        `name=value, with ${Object.keys({ ...lists, ...singles, ...numbers }).join(', ')}; several of one kind make a list, an empty value takes a tag away`,
      );
  }
  const read = writtenTags.safeParse(tags);
  if (!read.success)
    throw new OperatorError(
      `these tags cannot be written: ${read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    );
  return read.data;
};

const writeTags = async (cli: Cli, song: string, pairs: readonly string[]): Promise<void> => {
  const id = songId.safeParse(Number(song));
  if (!id.success) throw new OperatorError(`"${song}" is no number of a song`);
  const body = tagsOf(pairs);
  const api = await cli.api();
  await api.ask((client) => client.POST('/songs/{id}/tag-writes', { params: { path: { id: id.data } }, body }));
  cli.terminal.print(`Written into the file of song ${song}, which was read again.`);
};

/** `continuo song …`: single songs. */
export const songCommand = (cli: Cli): Command => {
  const command = new Command('song').description('single songs');
  command
    .command('write-tags <song> <tags...>')
    .description('write tags into the file of a song (name=value), where WRITE_TAGS is on; its sound is compared before and after')
    .action((song: string, pairs: string[]) => writeTags(cli, song, pairs));
  return command;
};
