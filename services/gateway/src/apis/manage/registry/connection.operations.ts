import { z } from 'zod';
import type { HasAuth } from '../../../auth/auth.js';
import type { HasConfig } from '../../../server/needs.js';
import { operationsUsing } from '../operation.js';

const { operation } = operationsUsing<HasAuth & HasConfig>();

const connection = z
  .object({
    baseUrl: z.string().meta({ description: 'Address of the server in the links of its answers, as this request has reached it' }),
    publicUrl: z.string().nullable().meta({ description: 'The setting `PUBLIC_URL`; null without one' }),
    clientAddress: z.string().meta({ description: 'Address of who asks, as the access list and limits see it' }),
    proxy: z
      .enum(['none', 'trusted', 'ignored'])
      .meta({ description: 'Whether a proxy has passed the request on; `ignored`: one that `TRUSTED_PROXIES` does not name' }),
  })
  .meta({ id: 'Connection' });

/** Headers by which proxies tell whom they speak for. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-real-ip'] as const;

/** Operations on how requests reach the server. */
export const connectionOperations = {
  getConnection: operation({
    method: 'GET',
    path: '/connection',
    family: 'settings',
    access: 'read',
    summary: 'Answers how this very request has reached the server, to check addresses and proxies',
    answer: connection,
    run: async ({ services: { auth, config }, request }) => {
      const isForwarded = FORWARDED.some((name) => request.auth.headers[name] !== undefined);
      const trust = auth.web.isFromProxy(request.auth) ? 'trusted' : 'ignored';
      return {
        baseUrl: request.baseUrl,
        publicUrl: config.PUBLIC_URL ?? null,
        clientAddress: auth.clientAddress(request.auth),
        proxy: isForwarded ? trust : 'none',
      };
    },
  }),
};
