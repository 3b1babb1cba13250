import { z } from 'zod';
import { serverCounts } from '../../reads/counts.reads.js';
import { viewerOf } from '../../reads/viewer.js';
import type { NativeSession } from '../../auth/index.js';
import { publicMethod, type PublicCall } from '../method.js';
import { handshakeObject, pingObject, serverObject, type NativeSessionView } from '../objects/session.object.js';
import { fieldsResult } from '../result.js';
import { checkHandshake } from '../versions/choose.js';
import { SERVER_VERSION } from '../server-version.js';

const params = z.object({});

const sessionView = async (call: PublicCall<unknown>, opened: NativeSession): Promise<NativeSessionView> => ({
  token: opened.token,
  username: opened.caller.account.username,
  streamToken: opened.caller.streamToken ?? null,
  expiresAtMs: opened.reportedExpiryMs,
  api: await call.speakTo(opened.caller.account.id),
  server: SERVER_VERSION,
  counts: await serverCounts(call.services, viewerOf(opened.caller.account)),
  hidesSearches: (await call.services.preferences.current()).isOn(opened.caller.account.id, 'hide_search'),
});

/** Methods that open, keep and end sessions (native README section 4). */
export const sessionMethods = {
  handshake: publicMethod({
    versions: [3, 4, 5, 6, 8],
    params,
    run: async (call) => {
      checkHandshake(call.asked);
      return fieldsResult(handshakeObject, await sessionView(call, await call.services.auth.handshake(call.request.auth, call.asked)));
    },
  }),
  ping: publicMethod({
    versions: [3, 4, 5, 6, 8],
    params,
    run: async (call) => {
      const opened = await call.services.auth.ping(call.request.auth, call.asked);
      return opened
        ? fieldsResult(pingObject, await sessionView(call, opened))
        : fieldsResult(serverObject, { server: SERVER_VERSION, api: call.api });
    },
  }),
  // Public, because a token that is not known is the caller's mistake (4710), not an expired session (native README section 4).
  goodbye: publicMethod({
    versions: [4, 5, 6, 8],
    inSession: true,
    params,
    run: async (call) => ({ kind: 'success', message: call.policy.farewell(await call.services.auth.goodbye(call.request.auth)) }),
  }),
};
