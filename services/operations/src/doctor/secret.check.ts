import { readKeyRing, KeyRingLocked } from '@continuo/chassis';
import { OperatorError } from '../connect/operator-error.js';
import type { Access } from '../connect/locate.js';
import type { Session } from '../connect/session.js';
import type { Settings } from '../config.js';
import { secretSettings } from '../secrets/secret-settings.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

const RING_STREAM = 'KV_server_secrets';

/** The secret of the settings opens what this server has sealed; undefined when it is not known here. */
export const checkSecret = async (
  { nats, manager }: Pick<Session, 'nats' | 'manager'>,
  settings: Settings,
  access: Access,
): Promise<Finding | undefined> => {
  try {
    const secrets = await secretSettings(settings, access);
    // Looking must not make a ring where there is none.
    const there = await manager.streams.info(RING_STREAM).then(
      () => true,
      () => false,
    );
    if (!there) return warning('Secret', 'nothing has been sealed yet', 'start the services');
    const { members } = await readKeyRing({ nats, settings: secrets, replicas: 1 });
    return ok('Secret', members.length === 1 ? 'CONTINUO_SECRET fits' : `CONTINUO_SECRET fits; ${members.length - 1} older ones are kept`);
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    if (error instanceof KeyRingLocked) return fault('Secret', "CONTINUO_SECRET is not the one of this server's data", error.message);
    return warning('Secret', `cannot be tried: ${reasonOf(error)}`, 'look at the log of the services');
  }
};
