import { Rejection } from '@continuo/contracts';

/** What is said to strangers who do something too often. */
export const tooManyCalls = (delayMs: number): Rejection =>
  new Rejection('auth.throttled', `Too many tries; try again in ${Math.ceil(delayMs / 1000)} seconds`, 'account');
