import { songsOf, SONGS_AT_ONCE, type SongSource } from '../../lib/song-sources.js';
import { watched } from '../../lib/watched.js';
import { answered, manage, type Managed } from './api.js';

type FileTags = Managed['FileTags'];
/** Tags of one file. */
type Tags = Partial<FileTags>;

interface FileChange {
  readonly id: number;
  readonly tags: Tags;
}

/** Tags that this page has written, and those that were there before. */
interface TagChange {
  readonly name: string;
  readonly before: readonly FileChange[];
}

/** The change that was made last and can be undone. */
export const lastTagChange = watched<TagChange | undefined>(undefined);

/** Ids of the songs of several lists, each once. @throws ApiError */
export const songsOfAll = async (sources: readonly SongSource[]): Promise<readonly number[]> => {
  const ids = new Set<number>();
  for (const source of sources) {
    for (let offset = 0, total = 1; offset < total; offset += SONGS_AT_ONCE) {
      const page = await songsOf(source, offset);
      total = page.total;
      for (const { id } of page.items) ids.add(Number(id));
    }
  }
  return [...ids];
};

const write = ({ id, tags }: FileChange): Promise<unknown> =>
  answered(manage.POST('/songs/{id}/tag-writes', { params: { path: { id } }, body: tags }));

/** The part of `tags` that is not so in the file. */
const differing = (present: FileTags, tags: Tags): Tags =>
  Object.fromEntries(
    Object.entries(tags).filter(([tag, value]) => JSON.stringify(present[tag as keyof FileTags]) !== JSON.stringify(value)),
  );

/**
 * Changes tags in the files of songs, one after the other: a file that cannot be written ends it, and what was written until then can be undone.
 * @param name names the change
 * @throws ApiError
 */
export const changeTags = async (name: string, songs: readonly number[], change: (present: FileTags) => Tags): Promise<void> => {
  const before: FileChange[] = [];
  for (const id of songs) {
    const present = await answered(manage.GET('/songs/{id}/tags', { params: { path: { id } } }));
    const tags = differing(present, change(present));
    if (Object.keys(tags).length === 0) continue;
    await write({ id, tags });
    before.push({ id, tags: Object.fromEntries(Object.keys(tags).map((tag) => [tag, present[tag as keyof FileTags]])) });
    lastTagChange.set({ name, before: [...before] });
  }
};

/** Writes the tags from before the last change again. @throws ApiError */
export const undoTagChange = async (): Promise<void> => {
  for (let change = lastTagChange.current(); change; change = lastTagChange.current()) {
    const [first, ...rest] = change.before;
    if (first) await write(first);
    lastTagChange.set(rest.length === 0 ? undefined : { ...change, before: rest });
  }
};
