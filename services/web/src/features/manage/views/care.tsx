import { Link } from '@tanstack/react-router';
import { ImageDown, Merge, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { songsOf } from '../../../lib/song-sources.js';
import { IconButton } from '../../../ui/icon-button.js';
import { answered, manage, type Managed } from '../api.js';
import { askFor, confirm } from '../components/form-dialog.js';
import { ItemTable, type RowAction } from '../components/item-table.js';
import { count, size } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

type Finding = Managed['Finding'];
type Found = Finding['objects'][number];
type Kind = keyof typeof m.findings;

const deleteFile = ({ id, detail }: Found): void =>
  confirm(m.deleteFile(detail), m.deleteFileText, m.deleteFile(detail), () =>
    content(api.DELETE('/songs/{song_id}', { params: { path: { song_id: String(id) } } })),
  );

const FoundObject = ({ object }: { readonly object: Found }): ReactNode => {
  const { type, id, name, detail, songCount, sizeBytes } = object;
  if (type === 'song')
    return (
      <>
        {detail} <span className={styles['dim']}>{size(sizeBytes)}</span>
        <IconButton icon={Trash2} size={18} label={m.deleteFile(detail)} onPress={() => deleteFile(object)} />
      </>
    );
  const params = { id: String(id) };
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

/** Songs of an album that are joined with others at most. */
const MOST_SONGS = 500;

/** Writes one name and one album artist into the files of all albums of a finding, song after song: a file that cannot be written ends it. */
const joinAlbums = async ({ name, objects }: Finding, albumArtist: string): Promise<void> => {
  for (const { id } of objects) {
    const { items } = await songsOf({ kind: 'album', id: String(id) }, 0, MOST_SONGS);
    for (const song of items)
      await answered(
        manage.POST('/songs/{id}/tag-writes', {
          params: { path: { id: Number(song.id) } },
          body: { album: name, albumArtists: [albumArtist] },
        }),
      );
  }
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

const MENDED_BY: Partial<Readonly<Record<Kind, readonly RowAction<Finding>[]>>> = {
  'albums-without-art': [{ name: ({ name }) => m.findArt(name), icon: ImageDown, run: findArt }],
  'split-albums': [{ name: ({ name }) => m.joinAlbums(name), icon: Merge, run: askAlbumArtist }],
};

/** Findings in the library that may want care, with the objects that show them and actions that mend them. */
export const Care = (): ReactNode =>
  (Object.entries(m.findings) as [Kind, (typeof m.findings)[Kind]][]).map(([kind, { title, empty }]) => (
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
                <li key={object.id}>
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
  ));
