import { Rejection } from '@continuo/contracts';

/** Builds the rejection of a login while too many have failed. */
export const tooManyLogins = (delayMs: number): Rejection =>
  new Rejection('auth.throttled', `Too many failed logins; try again in ${Math.ceil(delayMs / 1000)} seconds`, 'account');

/** Builds the rejection of an unauthenticated client that calls too often. */
export const tooManyCalls = (delayMs: number): Rejection =>
  new Rejection('auth.throttled', `Too many tries; try again in ${Math.ceil(delayMs / 1000)} seconds`, 'account');
