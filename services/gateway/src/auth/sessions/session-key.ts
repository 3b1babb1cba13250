import { sha256Hex } from '@continuo/chassis';
import type { UserId } from '@continuo/contracts';

/** The name under which a session is kept. */
export type SessionKey = string & { readonly brand: 'SessionKey' };

/** Form of session tokens: 128 random bits in lower-case hex, and a mark of 64 bits, which tokens of earlier releases lack. */
export const SESSION_TOKEN = /^[0-9a-f]{32}(?:[0-9a-f]{16})?$/;

/** The key of the session that a token names. */
export const keyOfToken = (token: string): SessionKey => `t.${sha256Hex(token)}` as SessionKey;

/** Form of tokens of the web page, with or without the mark: no token of the APIs is one, and the other way round. */
export const WEB_TOKEN = /^[0-9a-f]{64}(?:[0-9a-f]{16})?$/;

/** Begins the keys of web sessions. */
export const WEB_KEY = 'w.';

/** The key of the web session that a cookie names. */
export const keyOfWeb = (token: string): SessionKey => `${WEB_KEY}${sha256Hex(token)}` as SessionKey;

/** The key of the session that a client without handshake has by its API key; no token leads to it. */
export const keyOfImplicit = (userId: UserId, apiKeyId: string): SessionKey => `k.${userId}.${sha256Hex(apiKeyId)}` as SessionKey;
