import { Rejection } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import { readOnlySessions } from '../features/playback/index.js';
import type { HasAuth } from '../auth/auth.js';
import type { HasPlaying } from '../features/playback/playing-session-store.js';
import type { HasCommands } from '../server/needs.js';

const refuse = (): Promise<never> => Promise.reject(new Rejection('input.invalid', 'HEAD asks and changes nothing', 'method'));

type Changing = HasCommands & HasAuth & HasPlaying;

/**
 * Returns services that refuse every change for HEAD. In both APIs an action changes things by GET; by HEAD, which clients send to check existence, none does: no command
 * leaves the gateway, no session begins or ends, nothing plays.
 */
export const readOnlyOnHead = <S extends Changing>({ method }: Pick<FastifyRequest, 'method'>, services: S): S =>
  method === 'HEAD'
    ? {
        ...services,
        commands: { send: refuse },
        auth: { ...services.auth, handshake: refuse, goodbye: refuse },
        playing: readOnlySessions(services.playing, refuse),
      }
    : services;
