import { z } from 'zod';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import {
  heardKinds,
  heardObjects,
  listeningHours,
  listeningTotals,
  type HeardKind,
  type HeardObject,
  type ListeningPeriod,
} from '../../../../reads/plays/listening.reads.js';
import type { HasClock } from '../../../../server/needs.js';
import { badValue } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { heardObject, listeningObject, type NativeHeard } from '../../objects/listening.object.js';
import { fieldsResult, heldList, type NativeResult } from '../../result.js';
import { readAlbums, readArtists, readSongs } from '../lists/reading.js';

type Services = HasReadModel & HasPreferences & HasClock;
const { method } = methodsUsing<Services>();

const MS_PER_SECOND = 1000;
/** A year and a day: what is read at once is bounded, however long somebody has listened. */
const LONGEST_S = 366 * 86_400;
const USUAL_COUNT = 10;
const MOST = 100;

const time = z
  .string()
  .regex(/^\s*\d{1,11}\s*$/, 'must be a time in seconds since 1970')
  .transform(Number);

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // The only way to ask whether the runtime knows a zone.
    return false;
  }
};

/** A zone of the IANA. Offsets such as `+02:00` mean the contrary in SQL. */
const timeZone = z
  .string()
  .default('UTC')
  .refine((name) => /^[A-Za-z]/.test(name) && isTimeZone(name), 'must be a time zone such as Europe/Berlin');

const period = z.object({ since: time, until: time.optional() });

/** Period of a call, a year by default. @throws NativeRefusal 4710 when it is longer */
const periodOf = ({ params, services, context }: CallerCall<z.output<typeof period>, Services>): ListeningPeriod => {
  const { since, until = Math.min(since + LONGEST_S, Math.ceil(services.now() / MS_PER_SECOND)) } = params;
  if (until - since > LONGEST_S) throw badValue('until', String(until), 'must be at most 366 days after since');
  return { userId: context.caller.account.id, fromMs: since * MS_PER_SECOND, untilMs: until * MS_PER_SECOND };
};

const listeningParams = period.extend({ timezone: timeZone });

const listening = async (call: CallerCall<z.output<typeof listeningParams>, Services>): Promise<NativeResult> => {
  const { services, params } = call;
  const asked = periodOf(call);
  const [hours, totals] = await Promise.all([listeningHours(services.db, asked, params.timezone), listeningTotals(services.db, asked)]);
  return fieldsResult(listeningObject, { hours, totals });
};

/** Adds the objects themselves; what has just gone is left out. */
const withObjects = async (call: CallerCall<unknown, Services>, kind: HeardKind, found: readonly HeardObject[]): Promise<NativeHeard[]> => {
  const ids = found.map(({ id }) => id);
  const join = <T>(
    objects: Iterable<T>,
    idOf: (object: T) => number,
    heardOf: (object: T) => Omit<NativeHeard, 'heard'>,
  ): NativeHeard[] => {
    const byId = new Map([...objects].map((object) => [idOf(object), object]));
    return found.flatMap((heard) => {
      const object = byId.get(heard.id);
      return object ? [{ heard, ...heardOf(object) }] : [];
    });
  };
  switch (kind) {
    case 'song':
      return join(
        [...(await readSongs(call, ids))].map((song) => ({ ...song, position: 1 })),
        ({ view }) => view.doc.id,
        (song) => ({ songs: [song] }),
      );
    case 'album':
      return join(
        await readAlbums(call, ids),
        ({ view }) => view.id,
        (album) => ({ albums: [album] }),
      );
    case 'artist':
      return join(
        await readArtists(call, ids),
        ({ view }) => view.id,
        (artist) => ({ artists: [artist] }),
      );
  }
};

const heardParams = period.extend({
  type: z.enum(heardKinds).default('song'),
  filter: z.enum(['frequent', 'first']).default('frequent'),
  limit: z
    .string()
    .regex(/^\s*\d{1,3}\s*$/, `must be a number up to ${MOST}`)
    .default(String(USUAL_COUNT))
    .transform((text) => Math.min(MOST, Math.max(1, Number(text)))),
});

const heard = async (call: CallerCall<z.output<typeof heardParams>, Services>): Promise<NativeResult> => {
  const { type: kind, filter: order, limit } = call.params;
  if (order === 'first' && kind !== 'song') throw badValue('type', kind, 'must be song for what was heard first');
  const found = await heardObjects(call.services.db, periodOf(call), { kind, order, limit, viewer: call.viewer });
  return heldList(heardObject, await withObjects(call, kind, found));
};

/** Methods about what the caller has heard. */
export const listeningMethods = {
  listening: method({ versions: [8], access: 5, params: listeningParams, run: listening }),
  heard: method({ versions: [8], access: 5, params: heardParams, run: heard }),
};
