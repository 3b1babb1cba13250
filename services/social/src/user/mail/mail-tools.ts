import type { RecoveryTools } from '../recovery.js';
import type { SignUpSettings } from '../sign-up.js';
import type { Sender } from './letters.js';

/** What the handlers work with that speak to strangers. */
export interface MailTools extends RecoveryTools {
  readonly signUp: SignUpSettings;
  readonly sender: Sender;
  /** Epoch milliseconds. */
  readonly now: () => number;
}
