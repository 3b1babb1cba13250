import { artStorage, type ArtStore } from '@continuo/media-store';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Settings } from '../config.js';
import type { Access } from '../connect/locate.js';
import { OperatorError } from '../connect/operator-error.js';
import { openNats } from '../connect/session.js';
import { copyArt, type ArtCopy } from './copy-art.js';
import { artConfigOf, openServerArt } from './server-art.js';

/** Server whose pictures are copied, and the two storages as `ART_STORAGE` names them. */
export interface ServerArtCopy {
  readonly access: Access;
  readonly settings: Settings;
  /** Absent: the storage that the server uses. */
  readonly from?: string | undefined;
  readonly to: string;
}

const open = async ({ access, settings }: ServerArtCopy, storage: string, nats: NatsConnection): Promise<ArtStore> => {
  const parsed = artStorage.safeParse(storage);
  if (!parsed.success) throw new OperatorError(`${storage} ${parsed.error.issues[0]?.message ?? 'is no storage of pictures'}`);
  const config = await artConfigOf(settings, access, storage);
  if (config === undefined)
    throw new OperatorError('the folder of the pictures is not known', 'name the data folder of the services with --data');
  return openServerArt(config, nats);
};

/**
 * Copies the pictures of a server, which may run, from one storage to another.
 * @param tell is told how many pictures have been looked at
 * @throws OperatorError when one of them cannot be opened, or both are the same
 */
export const copyServerArt = async (wanted: ServerArtCopy, tell: (done: number) => void): Promise<ArtCopy> => {
  const { access, settings, to, from = access.artStorage ?? settings.ART_STORAGE } = wanted;
  if (from === to) throw new OperatorError(`the pictures are in ${to} already`, 'name where they come from with --from');
  const nats = await openNats(access);
  try {
    const source = await open(wanted, from, nats);
    const target = await open(wanted, to, nats);
    try {
      return await copyArt(source, target, tell);
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  } finally {
    await nats.close();
  }
};
