import type { PlayedAlbum } from '../../../reads/library/album-plays.reads.js';
import { UNANNOTATED, type Annotations } from '../../../reads/people/annotations.reads.js';
import type { SongView } from '../../../reads/songs/songs.reads.js';
import type { VideoView } from '../../../reads/library/videos.reads.js';
import { heldFlow, type Flow } from '../../../render/flow.js';
import { objectTable } from '../../../render/object-table.js';
import { annotationFields } from './annotation-fields.js';
import { albumChild, folderChild, songChild, type AnnotatedFolder } from './child.object.js';
import { concatenated, fieldsOf, OPTIONAL } from './fields.js';
import { videoChild } from './video.object.js';

/** A directory with its entries. */
export interface Directory {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly name: string;
  readonly annotations?: Annotations;
  readonly folders?: Flow<AnnotatedFolder>;
  readonly albums?: Flow<PlayedAlbum>;
  readonly songs?: Flow<SongView>;
  readonly videos?: Flow<VideoView>;
}

const NOTHING = heldFlow<never>([]);
const fields = fieldsOf<Directory>();
const said = annotationFields<Directory>((d) => d.annotations ?? UNANNOTATED);

/** A directory with its children, directories first (schema type Directory). */
export const directory = objectTable<Directory, undefined>('directory', [
  fields.text('id', (d) => d.id),
  fields.text('parent', (d) => d.parent, OPTIONAL),
  fields.text('name', (d) => d.name),
  said.starred,
  said.userRating,
  said.averageRating,
  concatenated(
    fields.many('child', folderChild, (d) => d.folders ?? NOTHING),
    fields.many('child', albumChild, (d) => d.albums ?? NOTHING),
    fields.many('child', songChild, (d) => d.songs ?? NOTHING),
    fields.many('child', videoChild, (d) => d.videos ?? NOTHING),
  ),
]);
