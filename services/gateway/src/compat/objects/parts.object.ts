import type { NameRef, SongDocument, TagRef } from '@continuo/contracts';
import { objectTable } from '../../render/object-table.js';
import type { PartialDate } from '../dates.js';
import { formatId } from '../ids.js';
import { fieldsOf } from './fields.js';

const artist = fieldsOf<Pick<NameRef, 'id' | 'name'>>();
/** An artist as songs and albums refer to it. */
export const artistRef = objectTable('artists', [artist.text('id', (a) => formatId('artist', a.id)), artist.text('name', (a) => a.name)]);

const genre = fieldsOf<TagRef>();
/** A genre as songs and albums refer to it. */
export const itemGenre = objectTable('genres', [genre.text('name', (g) => g.name)]);

const label = fieldsOf<string>();
/** A record label. */
export const recordLabel = objectTable('recordLabels', [label.text('name', (name) => name)]);

const date = fieldsOf<PartialDate>();
/** A date of which only the first parts may be known; empty when unknown. */
export const itemDate = objectTable('releaseDate', [
  date.num('year', (d) => d.year),
  date.num('month', (d) => d.month),
  date.num('day', (d) => d.day),
]);

const disc = fieldsOf<{ readonly disk: number; readonly title: string }>();
/** The title of one disc of an album. */
export const discTitle = objectTable('discTitles', [disc.num('disc', (d) => d.disk), disc.text('title', (d) => d.title)]);

type Work = NonNullable<SongDocument['works']>[number];
const workFields = fieldsOf<Work>();
/** A piece of music that a song is a recording of. */
export const work = objectTable<Work, undefined>('works', [
  workFields.text('name', (w) => w.name),
  workFields.text('musicBrainzId', (w) => w.mbid),
]);

type Movement = NonNullable<SongDocument['movements']>[number];
const movementFields = fieldsOf<Movement>();
/** A part of such a piece. */
export const movement = objectTable<Movement, undefined>('movements', [
  movementFields.text('name', (m) => m.name),
  movementFields.num('number', (m) => m.number),
  movementFields.num('count', (m) => m.count),
]);

/** Loudness corrections in dB, peaks linear. */
export interface ReplayGain {
  readonly trackGain?: number;
  readonly albumGain?: number;
  readonly trackPeak?: number;
  readonly albumPeak?: number;
  readonly baseGain?: number;
}
const gain = fieldsOf<ReplayGain>();
/** Loudness corrections of a song; empty when none is known. */
export const replayGain = objectTable('replayGain', [
  gain.num('trackGain', (g) => g.trackGain),
  gain.num('albumGain', (g) => g.albumGain),
  gain.num('trackPeak', (g) => g.trackPeak),
  gain.num('albumPeak', (g) => g.albumPeak),
  gain.num('baseGain', (g) => g.baseGain),
]);

/** A credit of somebody whom the library knows as an artist. */
export interface Contributor {
  readonly role: string;
  readonly subRole?: string | undefined;
  readonly artist: Pick<NameRef, 'id' | 'name'>;
}
const contributorFields = fieldsOf<Contributor>();
/** A credit beyond artist and album artist. */
export const contributor = objectTable('contributors', [
  contributorFields.text('role', (c) => c.role),
  contributorFields.text('subRole', (c) => c.subRole),
  contributorFields.one('artist', artistRef, (c) => c.artist),
]);
