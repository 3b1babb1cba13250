import { z } from 'zod';
import { serverCounts } from '../../reads/counts.reads.js';
import type { NativeSession } from '../../auth/index.js';
import { method, publicMethod, type PublicCall } from '../method.js';
import { handshakeObject, pingObject, serverObject, type NativeSessionView } from '../objects/session.object.js';
import { fieldsResult } from '../result.js';
import { SERVER_VERSION } from '../server-version.js';

const params = z.object({ version: z.string().default('') });

const sessionView = async (call: PublicCall<unknown>, opened: NativeSession): Promise<NativeSessionView> => ({
  token: opened.token,
  username: opened.caller.account.username,
  expiresAtMs: opened.reportedExpiryMs,
  api: call.api,
  server: SERVER_VERSION,
  counts: await serverCounts(call.services.db),
});

/** Methods that open, keep and end sessions (native README section 4). */
export const sessionMethods = {
  handshake: publicMethod({
    versions: [3, 4, 5, 6, 8],
    params,
    run: async (call) =>
      fieldsResult(handshakeObject, await sessionView(call, await call.services.auth.handshake(call.request.auth, call.params.version))),
  }),
  ping: publicMethod({
    versions: [3, 4, 5, 6, 8],
    params,
    run: async (call) => {
      const opened = await call.services.auth.ping(call.request.auth, call.params.version);
      return opened
        ? fieldsResult(pingObject, await sessionView(call, opened))
        : fieldsResult(serverObject, { server: SERVER_VERSION, api: call.api });
    },
  }),
  goodbye: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object({}),
    run: async (call) => ({ kind: 'success', message: call.policy.farewell(await call.services.auth.goodbye(call.request.auth)) }),
  }),
};
