import type { NameRef, SongDocument, TagRef } from '@continuo/contracts';
import { objectTable } from '../../../render/object-table.js';
import type { PartialDate } from '../dates.js';
import { formatId } from '../ids.js';
import { fieldsOf, OPTIONAL } from './fields.js';

const artist = fieldsOf<Pick<NameRef, 'id' | 'name'>>();
/** Reference to an artist. */
export const artistRef = objectTable(
  'artists',
  [artist.text('id', (a) => formatId('artist', a.id)), artist.text('name', (a) => a.name)],
  'artist_reference',
);

const genre = fieldsOf<TagRef>();
/** Reference to a genre. */
export const itemGenre = objectTable('genres', [genre.text('name', (g) => g.name)], 'item_genre');

const label = fieldsOf<string>();
/** A record label. */
export const recordLabel = objectTable('recordLabels', [label.text('name', (name) => name)], 'record_label');

const date = fieldsOf<PartialDate>();
/** A date that may lack its last parts; empty when unknown. */
export const itemDate = objectTable(
  'releaseDate',
  [date.int('year', (d) => d.year, OPTIONAL), date.int('month', (d) => d.month, OPTIONAL), date.int('day', (d) => d.day, OPTIONAL)],
  'item_date',
);

const disc = fieldsOf<{ readonly disk: number; readonly title: string }>();
/** Title of a disc. */
export const discTitle = objectTable('discTitles', [disc.int('disc', (d) => d.disk), disc.text('title', (d) => d.title)], 'disc_title');

type Work = NonNullable<SongDocument['works']>[number];
const workFields = fieldsOf<Work>();
/** A musical work. */
export const work = objectTable<Work, undefined>(
  'works',
  [workFields.text('name', (w) => w.name), workFields.text('musicBrainzId', (w) => w.mbid, OPTIONAL)],
  'work',
);

type Movement = NonNullable<SongDocument['movements']>[number];
const movementFields = fieldsOf<Movement>();
/** A movement of a work. */
export const movement = objectTable<Movement, undefined>(
  'movements',
  [
    movementFields.text('name', (m) => m.name),
    movementFields.int('number', (m) => m.number, OPTIONAL),
    movementFields.int('count', (m) => m.count, OPTIONAL),
  ],
  'movement',
);

/** ReplayGain values in dB, peaks linear. */
export interface ReplayGain {
  readonly trackGain?: number;
  readonly albumGain?: number;
  readonly trackPeak?: number;
  readonly albumPeak?: number;
  readonly baseGain?: number;
}
const gain = fieldsOf<ReplayGain>();
/** ReplayGain of a song; empty when unknown. */
export const replayGain = objectTable('replayGain', [
  gain.num('trackGain', (g) => g.trackGain, OPTIONAL),
  gain.num('albumGain', (g) => g.albumGain, OPTIONAL),
  gain.num('trackPeak', (g) => g.trackPeak, OPTIONAL),
  gain.num('albumPeak', (g) => g.albumPeak, OPTIONAL),
  gain.num('baseGain', (g) => g.baseGain, OPTIONAL),
]);

/** A credit of an artist in the library. */
export interface Contributor {
  readonly role: string;
  readonly subRole?: string | undefined;
  readonly artist: Pick<NameRef, 'id' | 'name'>;
}
const contributorFields = fieldsOf<Contributor>();
/** A credit beyond artist and album artist. */
export const contributor = objectTable(
  'contributors',
  [
    contributorFields.text('role', (c) => c.role),
    contributorFields.text('subRole', (c) => c.subRole, OPTIONAL),
    contributorFields.one('artist', artistRef, (c) => c.artist),
  ],
  'contributor',
);
