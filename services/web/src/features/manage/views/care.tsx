import { Link } from '@tanstack/react-router';
import { ImageDown, Merge, Trash2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { useWatched } from '../../../lib/watched.js';
import { IconButton, PillButton } from '../../../ui/buttons.js';
import type { Managed } from '../api.js';
import { askFor, confirm } from '../components/form-dialog.js';
import { ItemTable, type RowAction } from '../components/item-table.js';
import { useRun } from '../components/use-run.js';
import { count, size } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';
import { changeTags, lastTagChange, songsOfAll, undoTagChange } from '../tag-changes.js';

type Finding = Managed['Finding'];
type Found = Finding['objects'][number];
type Kind = keyof typeof m.findings;

const deleteFile = ({ id, detail }: Found): void =>
  confirm(m.deleteFile(detail), m.deleteFileText, m.deleteFile(detail), () =>
    content(api.DELETE('/songs/{song_id}', { params: { path: { song_id: String(id) } } })),
  );

const FoundObject = ({ object }: { readonly object: Found }): ReactNode => {
  const { type, id, name, detail, songCount, sizeBytes, filesSkipped = 0 } = object;
  if (type === 'song')
    return (
      <>
        {detail} <span className={styles['dim']}>{size(sizeBytes)}</span>
        <IconButton icon={Trash2} label={m.deleteFile(detail)} onPress={() => deleteFile(object)} />
      </>
    );
  const params = { id: String(id) };
  if (type === 'catalog')
    return (
      <Link to="/manage/$section/$id" params={{ section: 'libraries', ...params }}>
        {m.filesLeftOut(count(filesSkipped), (m.skipReasons as Readonly<Record<string, string>>)[detail] ?? detail)}
      </Link>
    );
  return (
    <>
      <Link to={type === 'album' ? '/albums/$id' : '/artists/$id'} params={params}>
        {name}
      </Link>{' '}
      <span className={styles['dim']}>{[...(detail ? [detail] : []), m.songs(count(songCount))].join(', ')}</span>
    </>
  );
};

const findArt = async ({ objects: [album] }: Finding): Promise<void> => {
  if (!album) return;
  await content(api.POST('/albums/{album_id}/update-art', { params: { path: { album_id: String(album.id) } } }));
};

/** Writes one name and one album artist into the files of all albums of a finding. */
const joinAlbums = async ({ name, objects }: Finding, albumArtist: string): Promise<void> => {
  const songs = await songsOfAll(objects.map(({ id }) => ({ kind: 'album', id: String(id) })));
  await changeTags(name, songs, () => ({ album: name, albumArtists: [albumArtist] }));
};

const askAlbumArtist = (finding: Finding): void => {
  const artists = [...new Set(finding.objects.map(({ detail }) => detail))].filter((name) => name !== '');
  askFor({
    title: m.joinAlbums(finding.name),
    text: m.joinAlbumsText,
    submitLabel: m.writeTags,
    fields: [
      {
        name: 'artist',
        label: m.albumArtist,
        options: Object.fromEntries([...artists, m.variousArtists].map((name) => [name, name])),
      },
    ],
    onSubmit: ({ artist = '' }) => joinAlbums(finding, artist),
  });
};

/** Writes one name in place of all others of a finding, into the files of these artists' songs, albums and works. */
const joinArtists = async ({ objects }: Finding, name: string): Promise<void> => {
  const others = objects.filter((artist) => artist.name !== name);
  const albums = await Promise.all(
    others.map(({ id }) =>
      content(api.GET('/artists/{artist_id}/albums', { params: { path: { artist_id: String(id) }, query: { limit: 'none' } } })),
    ),
  );
  const songs = await songsOfAll([
    ...others.map(({ id }) => ({ kind: 'artist', id: String(id) }) as const),
    ...albums.flatMap(({ album }) => album.map(({ id }) => ({ kind: 'album', id }) as const)),
  ]);
  const names = new Set(others.map((artist) => artist.name));
  const renamed = (all: readonly string[]): string[] => [...new Set(all.map((one) => (names.has(one) ? name : one)))];
  await changeTags(name, songs, ({ artists, albumArtists, composers }) => ({
    artists: renamed(artists),
    albumArtists: renamed(albumArtists),
    composers: renamed(composers),
  }));
};

const askArtist = (finding: Finding): void =>
  askFor({
    title: m.joinArtists(finding.name),
    text: m.joinArtistsText,
    submitLabel: m.writeTags,
    fields: [
      {
        name: 'artist',
        label: m.artistName,
        // First the one with the most songs.
        options: Object.fromEntries(finding.objects.toSorted((a, b) => b.songCount - a.songCount).map(({ name }) => [name, name])),
      },
    ],
    onSubmit: ({ artist = '' }) => joinArtists(finding, artist),
  });

const MENDED_BY: Partial<Readonly<Record<Kind, readonly RowAction<Finding>[]>>> = {
  'albums-without-art': [{ name: ({ name }) => m.findArt(name), icon: ImageDown, run: findArt }],
  'split-albums': [{ name: ({ name }) => m.joinAlbums(name), icon: Merge, run: askAlbumArtist }],
  'similar-artists': [{ name: ({ name }) => m.joinArtists(name), icon: Merge, run: askArtist }],
};

/** The way back from the tags that were written last. */
const UndoTags = (): ReactNode => {
  const change = useWatched(lastTagChange);
  const run = useRun();
  if (!change) return null;
  return (
    <p className={styles['text']}>
      {m.tagsWritten(count(change.before.length), change.name)}{' '}
      <PillButton icon={Undo2} label={m.undoTags} onPress={() => run(undoTagChange())} />
    </p>
  );
};

/** Findings in the library that may want care, with the objects that show them and actions that mend them. */
export const Care = (): ReactNode => (
  <>
    <UndoTags />
    {(Object.entries(m.findings) as [Kind, (typeof m.findings)[Kind]][]).map(([kind, { title, empty }]) => (
      <ItemTable
        key={kind}
        title={title}
        list="/findings/{kind}"
        selection={{ path: { kind } }}
        columns={[
          { name: m.name, cell: ({ name }) => name },
          {
            name: m.found,
            cell: ({ objects }) => (
              <ul className={styles['rows']}>
                {objects.map((object) => (
                  <li key={`${object.id} ${object.detail}`}>
                    <FoundObject object={object} />
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
        keyOf={({ mark }) => mark}
        actions={MENDED_BY[kind] ?? []}
        empty={empty}
        isGoodWhenEmpty
      />
    ))}
  </>
);
