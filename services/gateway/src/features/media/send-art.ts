import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import { artByHash, type ArtRecord } from '../../reads/art/art.reads.js';
import { AVATAR_MIME } from '../../reads/art/avatars.reads.js';
import { artReads, type PicturedKind } from '../../kinds/index.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { ArtSize, HasArt } from './art-images.js';
import { sendBytes, type Exchange } from './send-bytes.js';
import type { HasReadModel } from '../../reads/database/database.js';

/** Picture to send: its hash (null or undefined: none), its size, and whether a placeholder replaces a missing one. */
export interface WantedArt {
  readonly hash: string | null | undefined;
  readonly size?: ArtSize | undefined;
  readonly orPlaceholder?: boolean;
}

/**
 * Sends the picture of an account, which is in the art store and belongs to no file.
 * @throws Rejection `art.not-found` when there is none and nothing may stand for it
 */
export const sendAvatar = async (
  exchange: Exchange,
  { art }: HasArt,
  { hash, size, orPlaceholder = false }: WantedArt,
): Promise<FastifyReply> => {
  if (hash) return sendBytes(exchange, await art.get({ hash, mime: AVATAR_MIME }, size));
  if (!orPlaceholder) throw new Rejection('art.not-found');
  return sendBytes(exchange, await art.placeholder(size));
};

/** The picture of an object, as a viewer sees it: from memory where it is asked for again. */
export const artHashOf = (
  { art, db }: HasReadModel & HasArt,
  { kind, id, viewer }: { readonly kind: PicturedKind; readonly id: number; readonly viewer: Viewer },
): Promise<string | null | undefined> => {
  const read = (): Promise<string | null | undefined> => artReads[kind](db, id, viewer);
  return kind === 'song' || kind === 'album' || kind === 'artist' ? art.identities.hashOf(kind, id, viewer, read) : read();
};

const pictureOf = ({ art, db }: HasReadModel & HasArt, hash: string): Promise<ArtRecord | undefined> =>
  art.identities.record(hash, () => artByHash(db, hash));

/**
 * Sends a picture.
 * @throws Rejection `art.not-found` when there is none and nothing may stand for it
 */
export const sendArt = async (exchange: Exchange, services: HasReadModel & HasArt, wanted: WantedArt): Promise<FastifyReply> => {
  try {
    const record = wanted.hash ? await pictureOf(services, wanted.hash) : undefined;
    if (!record) throw new Rejection('art.not-found');
    return await sendBytes(exchange, await services.art.get(record, wanted.size));
  } catch (error) {
    const isMissing = error instanceof Rejection && error.code === 'art.not-found';
    if (!isMissing || !wanted.orPlaceholder) throw error;
    return sendBytes(exchange, await services.art.placeholder(wanted.size));
  }
};
