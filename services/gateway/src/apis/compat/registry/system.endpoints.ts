import { containerBody, listBody, objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { extensionsWhile } from '../extensions.js';
import { license, musicFolder, openSubsonicExtension, tokenInfo } from '../objects/small.object.js';
import { visibleCatalogs } from '../../../reads/visibility/catalog-scope.reads.js';
import { endpointsUsing, anybody } from './endpoint.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import type { HasSonic } from '../../../features/sonic/sonic-sounds.js';
import type { HasConfig } from '../../../server/needs.js';

type Services = HasConfig & HasReadModel & HasSonic;
const { document, action, publicDocument } = endpointsUsing<Services>();

/** Operations about the server. */
export const systemEndpoints = {
  ping: action({ access: anybody, params: {}, act: () => undefined }),

  getLicense: document({ access: anybody, params: {}, body: objectBody('license', license), answer: () => ({}) }),

  getOpenSubsonicExtensions: publicDocument({
    body: listBody('openSubsonicExtensions', openSubsonicExtension),
    answer: async ({ services }) => extensionsWhile({ podcasts: services.config.PODCAST, sonic: await services.sonic.isOn() }),
  }),

  tokenInfo: document({
    access: anybody,
    params: {},
    body: objectBody('tokenInfo', tokenInfo),
    answer: ({ context: { caller } }) => {
      if (caller.by === 'password') throw new CompatError(44, 'The call names no API key');
      return caller.account.username;
    },
  }),

  getMusicFolders: document({
    access: anybody,
    params: {},
    body: containerBody('musicFolders', 'musicFolder', musicFolder),
    answer: ({ services, viewer }) => visibleCatalogs(services.db, viewer),
  }),
} as const;
