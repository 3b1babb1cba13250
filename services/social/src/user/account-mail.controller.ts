import { decisionMeta, type Handled, HandlesCommand, HandlesEvents, type RecordedOf } from '@continuo/chassis';
import {
  confirmEmail,
  emailConfirmationRequested,
  passwordResetRequested,
  recoverPassword,
  signUp,
  userDeleted,
  type CommandDefinition,
  type CommandMessage,
  type UserId,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import type { MailTools } from './mail/mail-tools.js';
import { confirmationLetter, recoveryLetter, type Addressee } from './mail/letters.js';
import { recover } from './recovery.js';
import { confirmAddress, signUpUser } from './sign-up.js';
import { user } from './user.decider.js';

/** Injection token of the {@link MailTools}. */
export const MAIL_TOOLS = Symbol('MailTools');

type Message<D extends CommandDefinition> = CommandMessage<z.output<D['schema']>>;
type Answer<D extends CommandDefinition> = Promise<Handled<z.input<D['result']>>>;

/** Answers strangers: those who sign up and those who lost their password. Writes the mails that this takes. */
@Controller()
export class AccountMailController {
  constructor(@Inject(MAIL_TOOLS) private readonly tools: MailTools) {}

  /** Makes an account for a stranger. */
  @HandlesCommand(signUp)
  signUp(message: Message<typeof signUp>): Answer<typeof signUp> {
    return signUpUser(this.tools, this.tools.signUp, message.data, decisionMeta(message));
  }

  /** Takes the token of a confirmation mail. */
  @HandlesCommand(confirmEmail)
  confirmEmail(message: Message<typeof confirmEmail>): Answer<typeof confirmEmail> {
    return confirmAddress(this.tools, this.tools.signUp, message.data.token, decisionMeta(message));
  }

  /** Takes a step of recovering a password. */
  @HandlesCommand(recoverPassword)
  recoverPassword(message: Message<typeof recoverPassword>): Answer<typeof recoverPassword> {
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

  /** Destroys the key of whoever was deleted, should the command's handler not have come to it. */
  @HandlesEvents('identity', 'forget-deleted', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forget({ data }: RecordedOf<typeof userDeleted>): Promise<void> {
    await this.tools.secrets.forget(data.userId);
  }

  /** Whom a token goes to; undefined when it is good for nothing any more. */
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
