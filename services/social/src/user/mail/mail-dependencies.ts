import type { RecoveryDependencies } from '../recovery.js';
import type { SignUpSettings } from '../sign-up.js';
import type { Sender } from './letters.js';

/** Dependencies of the handlers that send mails. */
export interface MailDependencies extends RecoveryDependencies {
  readonly signUp: SignUpSettings;
  readonly sender: Sender;
  /** Epoch milliseconds. */
  readonly now: () => number;
}
