import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import { artByHash } from '../reads/art.reads.js';
import { AVATAR_MIME } from '../reads/avatars.reads.js';
import type { GatewayServices } from '../services.js';
import type { ArtSize } from './art-images.js';
import { sendBytes, type Exchange } from './send-bytes.js';

/** What to send: the hash of a picture (null or undefined: there is none), its size, and whether something stands for what is missing. */
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
  { art }: Pick<GatewayServices, 'art'>,
  { hash, size, orPlaceholder = false }: WantedArt,
): Promise<FastifyReply> => {
  if (hash) return sendBytes(exchange, await art.get({ hash, mime: AVATAR_MIME }, size));
  if (!orPlaceholder) throw new Rejection('art.not-found');
  return sendBytes(exchange, await art.placeholder(size));
};

/**
 * Sends a picture.
 * @throws Rejection `art.not-found` when there is none and nothing may stand for it
 */
export const sendArt = async (
  exchange: Exchange,
  services: Pick<GatewayServices, 'db' | 'art'>,
  wanted: WantedArt,
): Promise<FastifyReply> => {
  try {
    const record = wanted.hash ? await artByHash(services.db, wanted.hash) : undefined;
    if (!record) throw new Rejection('art.not-found');
    return await sendBytes(exchange, await services.art.get(record, wanted.size));
  } catch (error) {
    const isMissing = error instanceof Rejection && error.code === 'art.not-found';
    if (!isMissing || !wanted.orPlaceholder) throw error;
    return sendBytes(exchange, await services.art.placeholder(wanted.size));
  }
};
