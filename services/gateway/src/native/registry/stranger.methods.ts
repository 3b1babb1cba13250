import { setTimeout as delay } from 'node:timers/promises';
import { recoverPassword, signUp } from '@continuo/contracts';
import { z } from 'zod';
import { runCommand } from '../../commands.js';
import { featureOff } from '../errors/native-fault.js';
import { publicMethod, type PublicCall } from '../method.js';
import { readParams, required, type RawParams } from '../params.js';
import type { NativeResult } from '../result.js';
import { addressOf, namingTaken, nameOf, passwordDigest, shortText } from './account.methods.js';

const registerParams = z.object({ username: required, password: required, email: required, fullname: z.string().optional() });

const welcome = {
  confirmation: 'Please follow the link that was sent to your address',
  approval: 'Please wait for an administrator to enable your account',
  none: 'You can log in now',
} as const;

const register = async (call: PublicCall<RawParams>): Promise<NativeResult> => {
  const { services, request } = call;
  if (!services.config.ALLOW_PUBLIC_REGISTRATION) throw featureOff('allow_public_registration');
  const params = readParams(registerParams, call.params);
  const username = nameOf(params.username);
  const email = addressOf(params.email);
  const account = {
    username,
    email,
    passwordSha256: passwordDigest(params.password),
    ...(params.fullname === undefined ? {} : { fullName: shortText('fullname', params.fullname) }),
  };
  await services.auth.admitStranger(request.auth, 'register');
  const { awaiting } = await namingTaken({ username, email }, runCommand(services, request, signUp, account));
  return { kind: 'success', message: welcome[awaiting ?? 'none'] };
};

/** Longer than finding an account and writing its request down takes: however it went, the answer comes then (threats.md row 21). */
const RECOVERY_ANSWERS_AFTER_MS = 250;

const recover = async (call: PublicCall<{ auth: string }>): Promise<NativeResult> => {
  const { services, request, params } = call;
  const proof = params.auth.slice(0, 128);
  await services.auth.admitStranger(request.auth, 'lost-password', proof.toLowerCase());
  await Promise.all([runCommand(services, request, recoverPassword, { proof }), delay(RECOVERY_ANSWERS_AFTER_MS)]);
  return { kind: 'success', message: 'If there is such an account, a mail is on its way to it' };
};

/** Methods for people who cannot log in yet, or no more. */
export const strangerMethods = {
  register: publicMethod({ versions: [6, 8], params: z.record(z.string(), z.string()), run: register }),
  lost_password: publicMethod({ versions: [6, 8], params: z.object({ auth: required }), run: recover }),
};
