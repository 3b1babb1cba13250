import { eventStreams } from '@continuo/contracts';
import { streamExists } from '@continuo/chassis';
import { openArtStore, type ArtConfig, type ArtStore } from '@continuo/media-store';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { knownDataFolder } from '../backup/data-folder.js';
import type { Settings } from '../config.js';
import type { Access } from '../connect/locate.js';
import { OperatorError } from '../connect/operator-error.js';
import { reasonOf } from '../doctor/finding.js';

/** Settings of the picture store of a server; undefined where it is a folder that is not known. */
export const artConfigOf = async (
  settings: Settings,
  access: Pick<Access, 'dataFolder' | 'artStorage'>,
  storage: string = access.artStorage ?? settings.ART_STORAGE,
): Promise<ArtConfig | undefined> => {
  const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION } = settings;
  const dataFolder = await knownDataFolder(settings, access);
  if (storage === 'folder' && dataFolder === undefined) return undefined;
  return { ART_STORAGE: storage, CONTINUO_DATA: dataFolder ?? '', S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION };
};

/** Copies of a bucket beside the log: as many as the log has. */
const replicasOf = async (nats: NatsConnection): Promise<number> => {
  const manager = await jetstreamManager(nats);
  const stream = eventStreams.library;
  return (await streamExists(manager, stream)) ? (await manager.streams.info(stream)).config.num_replicas : 1;
};

/** Opens the picture store of a server. @throws OperatorError when it cannot be opened */
export const openServerArt = async (config: ArtConfig, nats: NatsConnection): Promise<ArtStore> => {
  const replicas = config.ART_STORAGE === 'nats' ? await replicasOf(nats) : 1;
  return openArtStore(config, { nats, replicas }).catch((cause: unknown) => {
    throw new OperatorError(
      `the pictures cannot be reached: ${reasonOf(cause)}`,
      'are ART_STORAGE and the S3 settings those of the services?',
      {
        cause,
      },
    );
  });
};
