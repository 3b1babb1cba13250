import { decision, decisionMeta, done, type Handled, HandlesCommand, type CommandOf, type AnswerTo } from '@continuo/chassis';
import { changeUser, deleteUser, issueApiKey, registerUser, revokeApiKey, setAvatar, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { AccountDependencies } from './account-dependencies.js';
import { changeAccount, type Change } from './change-user.js';
import { deleteAccount } from './delete-user.js';
import { register } from './register-user.js';
import type { UserCommand } from './user-commands.js';
import { user } from './user.decider.js';

/** Injection token of the {@link AccountDependencies}. */
export const ACCOUNT_DEPENDENCIES = Symbol('AccountDependencies');

/** Answers the commands about accounts and their credentials. */
@Controller()
export class UserController {
  constructor(@Inject(ACCOUNT_DEPENDENCIES) private readonly tools: AccountDependencies) {}

  /** Registers an account. */
  @HandlesCommand(registerUser)
  registerUser(message: CommandOf<typeof registerUser>): AnswerTo<typeof registerUser> {
    return register(this.tools, message.data, decisionMeta(message));
  }

  /** Changes an account. */
  @HandlesCommand(changeUser)
  changeUser(message: CommandOf<typeof changeUser>): AnswerTo<typeof changeUser> {
    return this.change(message, message.data);
  }

  /** Deletes an account for good. */
  @HandlesCommand(deleteUser)
  deleteUser(message: CommandOf<typeof deleteUser>): AnswerTo<typeof deleteUser> {
    return deleteAccount(this.tools, message.data.userId, decisionMeta(message));
  }

  /** Issues an API key and returns its text, which is never shown again. */
  @HandlesCommand(issueApiKey)
  async issueApiKey(message: CommandOf<typeof issueApiKey>): AnswerTo<typeof issueApiKey> {
    const { userId, ...wanted } = message.data;
    const { text, kept } = this.tools.secrets.apiKey({ userId, commandId: message.id, atMs: message.at, ...wanted });
    const { positions } = await this.decide(message, { type: 'issue-api-key', userId, apiKey: kept, most: this.tools.mostApiKeys });
    return { result: { keyId: kept.keyId, key: text }, positions };
  }

  /** Revokes an API key. */
  @HandlesCommand(revokeApiKey)
  revokeApiKey(message: CommandOf<typeof revokeApiKey>): AnswerTo<typeof revokeApiKey> {
    return this.decide(message, { type: 'revoke-api-key', ...message.data });
  }

  /** Gives an account its picture. */
  @HandlesCommand(setAvatar)
  setAvatar(message: CommandOf<typeof setAvatar>): AnswerTo<typeof setAvatar> {
    return this.decide(message, { type: 'set-avatar', ...message.data });
  }

  private change(message: CommandMessage, change: Change): Promise<Handled<Record<string, never>>> {
    return changeAccount(this.tools, change, decisionMeta(message));
  }

  private async decide(message: CommandMessage, command: UserCommand): Promise<Handled<Record<string, never>>> {
    return done(this.tools.aggregates.run([decision(user, command.userId, command)], decisionMeta(message)));
  }
}
