import { runMain, type BaseConfig, type Projection, type ServiceDefinition } from '@continuo/chassis';
import { playlistMembersAdded, readModelVersions } from '@continuo/contracts';
import { environment } from './config.js';

/** Projections whose tables have a column more in the next release. */
const raised = ['library-playlists', 'library-catalogue', 'playback-plays', 'social-annotations'] as const;

/** The column that the next release adds to the first table of each of these. */
export const NEXT_COLUMN = 'next_release';

/** The event that the next release writes in a new version. */
const raiseEvent = (): void => {
  const { v, upcasters } = playlistMembersAdded;
  const upcaster = (data: object): object => ({ ...data, addedBy: null });
  Object.assign(playlistMembersAdded, { v: v + 1, upcasters: { ...upcasters, [v]: upcaster } });
};

const raiseProjection = (projection: Projection): Projection => {
  const [table = ''] = projection.publishes;
  if (!raised.some((name) => name === projection.name)) return projection;
  const ddl = [...projection.ddl, `alter table ${table} add column ${NEXT_COLUMN} text`];
  return { ...projection, version: projection.version + 1, ddl };
};

/**
 * Runs a service as its next release would be: tables with a column more, an event in a newer version, a gateway that needs these tables. Only this process knows of it, so that it can stand
 * beside services of this release.
 */
export const runNextRelease = (definition: ServiceDefinition<never>): Promise<void> => {
  const { projections } = definition as unknown as ServiceDefinition;
  raiseEvent();
  for (const name of raised) Object.assign(readModelVersions, { [name]: readModelVersions[name] + 1 });
  const next = { ...definition, ...(projections && { projections: (deps: never) => projections(deps).map(raiseProjection) }) };
  return runMain(next as unknown as ServiceDefinition<BaseConfig>, environment);
};
