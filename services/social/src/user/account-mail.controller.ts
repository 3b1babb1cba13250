import { decisionMeta, HandlesCommand, HandlesEvents, type RecordedOf, type CommandOf, type AnswerTo } from '@continuo/chassis';
import {
  confirmEmail,
  emailConfirmationRequested,
  passwordResetRequested,
  recoverPassword,
  signUp,
  userDeleted,
  type UserId,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { MailDependencies } from './mail/mail-dependencies.js';
import { confirmationLetter, recoveryLetter, type Addressee } from './mail/letters.js';
import { recover } from './recovery.js';
import { confirmAddress, signUpUser } from './sign-up.js';
import { user } from './user.decider.js';

/** Injection token of the {@link MailDependencies}. */
export const MAIL_DEPENDENCIES = Symbol('MailDependencies');

/** Answers strangers: those who sign up and those who lost their password. Writes the mails that this takes. */
@Controller()
export class AccountMailController {
  constructor(@Inject(MAIL_DEPENDENCIES) private readonly tools: MailDependencies) {}

  /** Creates an account for somebody who signs up. */
  @HandlesCommand(signUp)
  signUp(message: CommandOf<typeof signUp>): AnswerTo<typeof signUp> {
    return signUpUser(this.tools, this.tools.signUp, message.data, decisionMeta(message));
  }

  /** Takes the token of a confirmation mail. */
  @HandlesCommand(confirmEmail)
  confirmEmail(message: CommandOf<typeof confirmEmail>): AnswerTo<typeof confirmEmail> {
    return confirmAddress(this.tools, this.tools.signUp, message.data.token, decisionMeta(message));
  }

  /** Takes a step of recovering a password. */
  @HandlesCommand(recoverPassword)
  recoverPassword(message: CommandOf<typeof recoverPassword>): AnswerTo<typeof recoverPassword> {
    return recover(this.tools, message.data.proof, decisionMeta(message));
  }

  /** Mails the token that confirms an address, unless it is over or has been used. */
  @HandlesEvents('identity', 'mail-confirmations', [emailConfirmationRequested], { aggregates: ['user'] })
  async mailConfirmation({ data }: RecordedOf<typeof emailConfirmationRequested>): Promise<void> {
    const to = await this.addressee(data, 'confirmation');
    if (!to) return;
    const { mailer, secrets, sender, now } = this.tools;
    await mailer?.send(confirmationLetter(to, sender, secrets.openToken(data.sealedToken), data.expiresAtMs - now()));
  }

  /** Mails the token that leads to another password, unless it is over or has been used. */
  @HandlesEvents('identity', 'mail-recoveries', [passwordResetRequested], { aggregates: ['user'] })
  async mailRecovery({ data }: RecordedOf<typeof passwordResetRequested>): Promise<void> {
    const to = await this.addressee(data, 'reset');
    if (!to) return;
    const { mailer, secrets, sender, now } = this.tools;
    await mailer?.send(recoveryLetter(to, sender, secrets.openToken(data.sealedToken), data.expiresAtMs - now()));
  }

  /** Destroys the key of a deleted account, in case the command's handler did not get to it. */
  @HandlesEvents('identity', 'forget-deleted', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forget({ data }: RecordedOf<typeof userDeleted>): Promise<void> {
    await this.tools.secrets.forget(data.userId);
  }

  /** Recipient of a token; undefined when the token is no longer valid. */
  private async addressee(
    { userId, tokenSha256, expiresAtMs }: { readonly userId: UserId; readonly tokenSha256: string; readonly expiresAtMs: number },
    purpose: 'confirmation' | 'reset',
  ): Promise<Addressee | undefined> {
    const { state } = await this.tools.aggregates.load(user, userId);
    if (state[purpose]?.tokenSha256 !== tokenSha256 || expiresAtMs <= this.tools.now()) return undefined;
    const profile = await this.tools.secrets.openProfile(userId, state.sealedProfile);
    return profile?.email === undefined ? undefined : { username: profile.username, email: profile.email };
  }
}
