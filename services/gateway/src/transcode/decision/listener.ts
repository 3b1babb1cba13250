import { SERVER_USER, type PreferenceSnapshot } from '../../preferences/index.js';
import { viewerOf, type Viewer } from '../../reads/visibility/viewer.js';
import { streamRules } from './stream-rules.js';

/** The viewer of an account together with what it is sent of what it sees. */
export const listenerOf = (
  account: Parameters<typeof viewerOf>[0] & { readonly maxBitrateBps?: number | null },
  preferences: PreferenceSnapshot,
): Viewer => ({
  ...viewerOf(account),
  ...(preferences.isOn(SERVER_USER, 'show_server_paths') ? { hidesServerPaths: false } : {}),
  streams: streamRules(account, preferences),
});
