import type { HasReadModel, ReadDatabase } from '../../reads/database/database.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { notFound } from './errors/native-fault.js';
import type { CallerCall } from './method.js';
import { idOf } from './params.js';

type Reader = Pick<CallerCall<unknown, HasReadModel>, 'services' | 'viewer'>;

/** Reads the objects with these ids that a viewer sees. */
type ReadByIds<T> = (db: ReadDatabase, ids: readonly number[], viewer: Viewer) => Promise<readonly T[]>;

/** The object with an id that is text; undefined when it is no id, or when the viewer sees no such object. */
export const seenObject = async <T>({ services, viewer }: Reader, read: ReadByIds<T>, text: string): Promise<T | undefined> => {
  const id = idOf(text);
  return id === undefined ? undefined : (await read(services.db, [id], viewer))[0];
};

/** The object that a parameter names by its id. @throws NativeRefusal 4704 with the parameter when the viewer sees no such object */
export const objectNamed = async <T>(reader: Reader, read: ReadByIds<T>, text: string, parameter = 'filter'): Promise<T> => {
  const found = await seenObject(reader, read, text);
  if (found === undefined) throw notFound(parameter, text);
  return found;
};
