import type { AnyTable } from '../../../src/render/index.js';
import { albumDiskObject } from '../../../src/apis/native/objects/album-disk.object.js';
import { albumObject } from '../../../src/apis/native/objects/album.object.js';
import { artistObject } from '../../../src/apis/native/objects/artist.object.js';
import { catalogObject } from '../../../src/apis/native/objects/catalog.object.js';
import { collectionObject, playlistFolderObject } from '../../../src/apis/native/objects/collection.object.js';
import { folderItemObject } from '../../../src/apis/native/objects/folder.object.js';
import { genreObject } from '../../../src/apis/native/objects/genre.object.js';
import { labelObject } from '../../../src/apis/native/objects/label.object.js';
import { liveStreamObject } from '../../../src/apis/native/objects/live-stream.object.js';
import { browseItemObject, listItemObject } from '../../../src/apis/native/objects/named.object.js';
import { playlistObject } from '../../../src/apis/native/objects/playlist.object.js';
import { episodeObject, podcastObject } from '../../../src/apis/native/objects/podcast.object.js';
import { shareObject } from '../../../src/apis/native/objects/share.object.js';
import { songObject } from '../../../src/apis/native/objects/song.object.js';
import { userSummaryObject } from '../../../src/apis/native/objects/user.object.js';
import { videoObject } from '../../../src/apis/native/objects/video.object.js';
import { anyOf, arrayOf, objectSchema, type Schema, type SchemaSet } from '../schema-set.js';
import { bareList, byType, list, oneOf, part, shape, type Answer } from './answer.js';

/** Tables of the types that lists and searches name. */
const tables = {
  album: albumObject,
  album_artist: artistObject,
  album_disk: albumDiskObject,
  artist: artistObject,
  catalog: catalogObject,
  collection: collectionObject,
  genre: genreObject,
  label: labelObject,
  live_stream: liveStreamObject,
  playlist: playlistObject,
  podcast: podcastObject,
  podcast_episode: episodeObject,
  share: shareObject,
  song: songObject,
  song_artist: artistObject,
  tag: genreObject,
  video: videoObject,
} as const satisfies Readonly<Record<string, AnyTable>>;
type TypeName = keyof typeof tables;

const listsOf = (...types: readonly TypeName[]): Readonly<Record<string, Answer>> =>
  Object.fromEntries(types.map((type) => [type, list(tables[type])]));

const SEARCHED = [
  'song',
  'album',
  'album_disk',
  'artist',
  'album_artist',
  'song_artist',
  'genre',
  'tag',
  'label',
  'playlist',
  'podcast',
  'podcast_episode',
  'video',
] as const;

/** Objects that a search found. */
export const found = byType({ ...listsOf(...SEARCHED), user: bareList(userSummaryObject) });

/** Objects found of several types, by type. */
export const foundByType = shape((schemas) => {
  const lists = SEARCHED.map((type) => [type, arrayOf(schemas.of(tables[type]))] as const);
  const byName = Object.fromEntries([...lists, ['user', arrayOf(schemas.of(userSummaryObject))] as const]);
  return { search: objectSchema(byName, Object.keys(byName)) };
});

/** Ranked objects. */
export const ranked = byType(listsOf('song', 'album', 'album_disk', 'artist', 'video', 'playlist', 'podcast', 'podcast_episode'));

/** Similar songs or artists. */
export const similar = byType(listsOf('song', 'artist'));

const LISTED = [
  'song',
  'album',
  'album_disk',
  'artist',
  'album_artist',
  'song_artist',
  'catalog',
  'video',
  'share',
  'live_stream',
  'podcast',
  'podcast_episode',
  'playlist',
] as const satisfies readonly TypeName[];

/** Names of objects. */
export const names = shape(
  (schemas) => {
    const lists = Object.fromEntries(LISTED.map((type) => [type, arrayOf(schemas.of(listItemObject))]));
    return { ...part.counters, list: arrayOf(schemas.of(listItemObject)), ...lists };
  },
  ['list', ...LISTED],
);

/** Ids of objects, or of objects and their children. Version 6 writes ids as numbers, except those of smartlists. */
export const ids = shape(
  (schemas) => {
    const id: Schema = schemas.profile.version >= 8 ? part.id : { type: ['integer', 'string'] };
    const children = part.keyed(arrayOf(objectSchema({ id, type: part.text })));
    return { ...part.counters, ...Object.fromEntries(LISTED.map((type) => [type, anyOf([arrayOf(id), children])])) };
  },
  ['total_count', 'md5', ...LISTED],
);

/** Whole objects of a listed type. */
export const indexed = oneOf(
  ...LISTED.filter((type) => type !== 'album_disk').map((type) => list(tables[type], type)),
  ...LISTED.map((type) => list(tables[type])),
);

/** A level of the tree from catalogs to songs. */
export const browsed = shape((schemas) => ({
  ...part.counters,
  catalog_id: part.text,
  parent_id: part.text,
  parent_type: part.text,
  child_type: part.text,
  browse: arrayOf(schemas.of(browseItemObject)),
}));

/** A folder and its entries. */
export const browsedFolder = shape((schemas) => ({
  ...part.counters,
  folder: objectSchema({
    id: part.id,
    title: part.text,
    parent: { type: ['string', 'null'] },
    path: part.text,
    catalog: part.id,
    time: part.count,
    items: arrayOf(schemas.of(folderItemObject)),
  }),
}));

/** Lyrics of a song by source; an empty list without any. All texts are listed on request, with times as enhanced LRC. */
export const lyrics = shape(
  (schemas) => ({
    object_id: schemas.profile.version >= 8 ? part.id : { type: 'integer' },
    object_type: { const: 'song' },
    plugin: anyOf([part.keyed(objectSchema({ text: part.text })), { ...arrayOf({}), maxItems: 0 }]),
    lyrics: arrayOf(objectSchema({ source: part.text, language: part.text, text: part.text })),
  }),
  ['lyrics'],
);

/** Facts of plug-ins about an object; an empty list of its kind without any. */
export const externalMetadata = oneOf(
  shape(() => ({
    object_id: part.id,
    object_type: part.text,
    plugin: part.keyed(part.keyed(anyOf([part.text, { type: 'number' }, arrayOf({})]))),
  })),
  ...Object.values(listsOf('song', 'album', 'artist', 'label')),
);

/** An entry of a collection or folder: its object under the name of its type. */
const contentsOf = (
  schemas: SchemaSet,
  position: Readonly<Record<string, Schema>>,
  objects: Readonly<Record<string, AnyTable>>,
): Schema => {
  const objectsByType = Object.fromEntries(Object.entries(objects).map(([name, table]) => [name, schemas.of(table)]));
  return arrayOf(objectSchema({ ...position, object_type: part.text, ...objectsByType }, Object.keys(objectsByType)));
};

/** A collection with its entries. */
export const collectionContents = shape((schemas) => {
  const { album, album_disk, artist, live_stream, playlist, podcast, podcast_episode, song, video } = tables;
  const objects = { album, album_disk, artist, live_stream, playlist, podcast, podcast_episode, search: playlist, song, video };
  return {
    collection: schemas.inline(collectionObject, { contents: contentsOf(schemas, { track: part.count, track_id: part.count }, objects) }),
  };
});

/** A playlist folder with its lists. */
export const folderContents = shape((schemas) => {
  const objects = { playlist: playlistObject, search: playlistObject, smartlist: playlistObject, collection: collectionObject };
  return {
    playlist_folder: schemas.inline(playlistFolderObject, { contents: contentsOf(schemas, { sort_order: { type: 'integer' } }, objects) }),
  };
});

/** Search rules of a type, with the widget that enters each. */
export const rules = shape((schemas) => {
  const choices = part.keyed(part.text);
  const numbered = schemas.profile.version < 8 ? [arrayOf(part.text)] : [];
  return {
    rule: arrayOf(
      objectSchema({
        name: part.text,
        label: part.text,
        type: part.text,
        widget: {
          ...arrayOf(anyOf([part.text, choices, ...numbered])),
          minItems: 2,
          maxItems: 2,
          description: 'Kind of the widget, and its choices.',
        },
        title: part.text,
      }),
    ),
  };
});

/** Action of the player, or its status. */
export const playerAnswer = shape(() => {
  const status = objectSchema({
    state: part.text,
    volume: part.text,
    repeat: part.boolean,
    random: part.boolean,
    track: part.count,
    track_title: part.text,
    track_artist: part.text,
    track_album: part.text,
  });
  const done = {
    type: 'object',
    additionalProperties: part.boolean,
    description: 'True under the name of the command that the player accepted.',
  };
  return { localplay: objectSchema({ command: anyOf([objectSchema({ status }), done]) }) };
});
