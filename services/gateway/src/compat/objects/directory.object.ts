import type { PlayedAlbum } from '../../reads/album-plays.reads.js';
import { UNANNOTATED, type Annotations } from '../../reads/annotations.reads.js';
import type { SongView } from '../../reads/songs.reads.js';
import type { VideoView } from '../../reads/videos.reads.js';
import { objectTable } from '../../render/object-table.js';
import { annotationFields } from './annotation-fields.js';
import { albumChild, folderChild, songChild, type AnnotatedFolder } from './child.object.js';
import { concatenated, fieldsOf } from './fields.js';
import { videoChild } from './video.object.js';

/** Anything that can be opened like a folder, and what is in it. */
export interface Directory {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly name: string;
  readonly annotations?: Annotations;
  readonly folders?: readonly AnnotatedFolder[];
  readonly albums?: readonly PlayedAlbum[];
  readonly songs?: readonly SongView[];
  readonly videos?: readonly VideoView[];
}

const fields = fieldsOf<Directory>();
const said = annotationFields<Directory>((d) => d.annotations ?? UNANNOTATED);

/** A directory with its children, directories first (schema type Directory). */
export const directory = objectTable<Directory, undefined>('directory', [
  fields.text('id', (d) => d.id),
  fields.text('parent', (d) => d.parent),
  fields.text('name', (d) => d.name),
  said.starred,
  said.userRating,
  said.averageRating,
  concatenated(
    fields.many('child', folderChild, (d) => d.folders ?? []),
    fields.many('child', albumChild, (d) => d.albums ?? []),
    fields.many('child', songChild, (d) => d.songs ?? []),
    fields.many('child', videoChild, (d) => d.videos ?? []),
  ),
]);
