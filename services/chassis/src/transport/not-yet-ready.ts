import { Rejection } from '@continuo/contracts';

/** This replica cannot take the command yet, another one may. Who sends it asks again under the same id until its time is over. */
export class NotYetReady extends Rejection {
  constructor(message: string) {
    super('unavailable', message);
  }
}
