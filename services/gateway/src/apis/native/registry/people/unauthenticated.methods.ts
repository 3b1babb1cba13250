import { setTimeout as delay } from 'node:timers/promises';
import { recoverPassword, Rejection, signUp } from '@continuo/contracts';
import { z } from 'zod';
import { runCommand } from '../../../../server/commands.js';
import type { UnauthenticatedAction } from '../../../../auth/index.js';
import { featureOff, NativeRefusal } from '../../errors/native-fault.js';
import { methodsUsing, type PublicCall } from '../../method.js';
import { optional, readParams, required, type RawParams } from '../../params.js';
import { success, type NativeResult } from '../../result.js';
import { addressOf, reportTakenNames, nameOf, passwordDigest, shortText } from './account.methods.js';
import type { HasAuth } from '../../../../auth/auth.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasAuth & HasCommands & HasConfig;
const { publicMethod } = methodsUsing<Services>();

const registerParams = z.object({ username: required, password: required, email: required, fullname: optional });

const welcome = {
  confirmation: 'Please follow the link that was sent to your address',
  approval: 'Please wait for an administrator to enable your account',
  none: 'You can log in now',
} as const;

/** Rate-limits actions of unauthenticated clients, with an error code other than that of failed logins. */
const admit = async ({ services, context }: PublicCall<unknown, Services>, act: UnauthenticatedAction, about?: string): Promise<void> => {
  try {
    await services.auth.limitUnauthenticated(context.auth, act, about);
  } catch (error) {
    if (error instanceof Rejection && error.code === 'auth.throttled') throw new NativeRefusal(4742, 'account', error.message);
    throw error;
  }
};

const register = async (call: PublicCall<RawParams, Services>): Promise<NativeResult> => {
  const { services, context } = call;
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
  await admit(call, 'register');
  const { awaiting } = await reportTakenNames({ username, email }, runCommand(services, context, signUp, account));
  return { kind: 'success', message: welcome[awaiting ?? 'none'] };
};

/** Fixed answer time, longer than looking up an account takes, so that timing does not reveal accounts, ms. */
const RECOVERY_ANSWERS_AFTER_MS = 250;

const recover = async (call: PublicCall<{ auth: string }, Services>): Promise<NativeResult> => {
  const { services, context, params } = call;
  const proof = params.auth.slice(0, 128);
  await admit(call, 'lost-password', proof.toLowerCase());
  await Promise.all([runCommand(services, context, recoverPassword, { proof }), delay(RECOVERY_ANSWERS_AFTER_MS)]);
  return success('If there is such an account, a mail is on its way to it');
};

/** Methods without authentication: registration and lost passwords. */
export const unauthenticatedMethods = {
  register: publicMethod({ versions: [6, 8], params: z.record(z.string(), z.string()), run: register }),
  lost_password: publicMethod({ versions: [6, 8], params: z.object({ auth: required }), run: recover }),
};
