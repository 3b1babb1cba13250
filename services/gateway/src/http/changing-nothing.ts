import { Rejection } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import { unchanging } from '../playing/index.js';
import type { GatewayServices } from '../services.js';

const refuse = (): Promise<never> => Promise.reject(new Rejection('input.invalid', 'HEAD asks and changes nothing', 'method'));

type Changing = Pick<GatewayServices, 'commands' | 'auth' | 'playing'>;

/**
 * The services for a call by this verb. In both APIs an action changes things by GET; by HEAD, which programs send to look whether something is there, none does: no command
 * leaves the gateway, no session begins or ends, nothing plays.
 */
export const servicesFor = <S extends Changing>({ method }: Pick<FastifyRequest, 'method'>, services: S): S =>
  method === 'HEAD'
    ? {
        ...services,
        commands: { send: refuse },
        auth: { ...services.auth, handshake: refuse, goodbye: refuse },
        playing: unchanging(services.playing, refuse),
      }
    : services;
