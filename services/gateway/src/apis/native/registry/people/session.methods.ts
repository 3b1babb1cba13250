import { productVersion } from '@continuo/chassis';
import { z } from 'zod';
import { serverCounts } from '../../../../reads/library/counts.reads.js';
import { viewerOf } from '../../../../reads/visibility/viewer.js';
import type { NativeSession } from '../../../../auth/index.js';
import { methodsUsing, type PublicCall } from '../../method.js';
import { handshakeObject, pingObject, serverObject, type NativeSessionView } from '../../objects/session.object.js';
import { fieldsResult } from '../../result.js';
import { checkHandshake } from '../../versions/choose.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasAuth } from '../../../../auth/auth.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasAuth & HasReadModel & HasLists & HasPreferences;
const { publicMethod } = methodsUsing<Services>();

const params = z.object({});

const sessionView = async (call: PublicCall<unknown, Services>, opened: NativeSession): Promise<NativeSessionView> => ({
  token: opened.token,
  username: opened.caller.account.username,
  streamToken: opened.caller.streamToken ?? null,
  expiresAtMs: opened.reportedExpiryMs,
  api: await call.switchVersion(opened.caller.account.id),
  server: productVersion,
  counts: await serverCounts(call.services, viewerOf(opened.caller.account)),
  hidesSearches: (await call.services.preferences.current()).isOn(opened.caller.account.id, 'hide_search'),
});

/** Methods about sessions. */
export const sessionMethods = {
  handshake: publicMethod({
    versions: [3, 4, 5, 6, 8],
    params,
    run: async (call) => {
      checkHandshake(call.requestedVersion);
      return fieldsResult(
        handshakeObject,
        await sessionView(call, await call.services.auth.handshake(call.context.auth, call.requestedVersion)),
      );
    },
  }),
  ping: publicMethod({
    versions: [3, 4, 5, 6, 8],
    params,
    run: async (call) => {
      const opened = await call.services.auth.ping(call.context.auth, call.requestedVersion);
      return opened
        ? fieldsResult(pingObject, await sessionView(call, opened))
        : fieldsResult(serverObject, { server: productVersion, api: call.api });
    },
  }),
  // Public, because an unknown token is a bad parameter (4710) and not an expired session.
  goodbye: publicMethod({
    versions: [4, 5, 6, 8],
    inSession: true,
    params,
    run: async (call) => ({ kind: 'success', message: call.policy.farewell(await call.services.auth.goodbye(call.context.auth)) }),
  }),
};
