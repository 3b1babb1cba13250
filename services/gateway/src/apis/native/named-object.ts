import type { HasReadModel, ReadDatabase } from '../../reads/database/database.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { notFound } from './errors/native-fault.js';
import type { CallerCall } from './method.js';
import { idOf } from './params.js';

type Reader = Pick<CallerCall<unknown, HasReadModel>, 'services' | 'viewer'>;

/** Parameters of a method about one thing. */
export interface Named {
  readonly filter: string;
}

/** Reads the objects with these ids that a viewer sees. */
export type ReadByIds<T> = (db: ReadDatabase, ids: readonly number[], viewer: Viewer) => Promise<readonly T[]>;

/** The object with an id that is text; undefined when it is no id, or when the viewer sees no such object. */
export const seenObject = async <T>({ services, viewer }: Reader, read: ReadByIds<T>, text: string): Promise<T | undefined> => {
  const id = idOf(text);
  return id === undefined ? undefined : (await read(services.db, [id], viewer))[0];
};

/** A thing that a parameter named. @throws NativeRefusal 4704 with the parameter when it was not found */
export const orNotFound = <T>(found: T | undefined, text: string, parameter = 'filter'): T => {
  if (found === undefined) throw notFound(parameter, text);
  return found;
};

/** The object that a parameter names by its id. @throws NativeRefusal 4704 with the parameter when the viewer sees no such object */
export const objectNamed = async <T>(reader: Reader, read: ReadByIds<T>, text: string, parameter?: string): Promise<T> =>
  orNotFound(await seenObject(reader, read, text), text, parameter);

/** The thing that is found by the id in a parameter. @throws NativeRefusal 4704 with the parameter when it is no id, or nothing is found */
export const foundById = async <T>(text: string, find: (id: number) => Promise<T | undefined>, parameter?: string): Promise<T> => {
  const id = idOf(text);
  return orNotFound(id === undefined ? undefined : await find(id), text, parameter);
};
