import { decision, HandlesCommand, type AggregateRunner, type Handled } from '@continuo/chassis';
import {
  disableUser,
  enableUser,
  issueApiKey,
  registerUser,
  revokeApiKey,
  setCompatPassword,
  setPassword,
  type CommandDefinition,
  type CommandMessage,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { decisionMeta } from '../decision-meta.js';
import { register, type RegistrationTools } from './register-user.js';
import { user, type UserCommand } from './user.decider.js';

/** Injection token of the {@link RegistrationTools}. */
export const REGISTRATION_TOOLS = Symbol('RegistrationTools');

type Message<D extends CommandDefinition> = CommandMessage<z.output<D['schema']>>;
type Answer<D extends CommandDefinition> = Promise<Handled<z.input<D['result']>>>;

/** Answers the commands about accounts and their credentials. */
@Controller()
export class UserController {
  private readonly aggregates: AggregateRunner;

  constructor(@Inject(REGISTRATION_TOOLS) private readonly tools: RegistrationTools) {
    this.aggregates = tools.aggregates;
  }

  /** Registers an account. */
  @HandlesCommand(registerUser)
  registerUser(message: Message<typeof registerUser>): Answer<typeof registerUser> {
    return register(this.tools, message.data, decisionMeta(message));
  }

  /** Sets the login password. */
  @HandlesCommand(setPassword)
  async setPassword(message: Message<typeof setPassword>): Answer<typeof setPassword> {
    const { userId, password } = message.data;
    return this.decide(message, { type: 'set-password', userId, ...(await this.tools.secrets.sealPassword(password)) });
  }

  /** Sets the password of the compatibility API. */
  @HandlesCommand(setCompatPassword)
  setCompatPassword(message: Message<typeof setCompatPassword>): Answer<typeof setCompatPassword> {
    const { userId, password } = message.data;
    return this.decide(message, { type: 'set-compat-password', userId, sealedPassword: this.tools.secrets.sealCompatPassword(password) });
  }

  /** Issues an API key and answers its text, which nobody is told again. */
  @HandlesCommand(issueApiKey)
  async issueApiKey(message: Message<typeof issueApiKey>): Answer<typeof issueApiKey> {
    const { userId, name, key } = message.data;
    const { text, kept } = this.tools.secrets.apiKey({ userId, commandId: message.id, name, atMs: message.at, key });
    const { positions } = await this.decide(message, { type: 'issue-api-key', userId, apiKey: kept });
    return { result: { keyId: kept.keyId, key: text }, positions };
  }

  /** Revokes an API key. */
  @HandlesCommand(revokeApiKey)
  revokeApiKey(message: Message<typeof revokeApiKey>): Answer<typeof revokeApiKey> {
    return this.decide(message, { type: 'revoke-api-key', ...message.data });
  }

  /** Keeps an account from logging in; running sessions end at once. */
  @HandlesCommand(disableUser)
  disableUser(message: Message<typeof disableUser>): Answer<typeof disableUser> {
    return this.decide(message, { type: 'disable', ...message.data });
  }

  /** Lets a disabled account log in again. */
  @HandlesCommand(enableUser)
  enableUser(message: Message<typeof enableUser>): Answer<typeof enableUser> {
    return this.decide(message, { type: 'enable', ...message.data });
  }

  private async decide(message: CommandMessage, command: UserCommand): Promise<Handled<Record<string, never>>> {
    const { position } = await this.aggregates.run([decision(user, command.userId, command)], decisionMeta(message));
    return { result: {}, positions: position ? [position] : [] };
  }
}
