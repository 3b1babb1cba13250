import {
  decision,
  type DecisionMeta,
  decisionMeta,
  done,
  type Handled,
  HandlesCommand,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import { linkIdentity, renameApiKey, unlinkIdentity } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { AccountDependencies } from './account-dependencies.js';
import { externalIdentity } from './external-identity.decider.js';
import { ACCOUNT_DEPENDENCIES } from './user.controller.js';
import { user } from './user.decider.js';

/** Answers the commands that owners of accounts give on the web: identities at providers, names of API keys. */
@Controller()
export class ExternalIdentityController {
  constructor(@Inject(ACCOUNT_DEPENDENCIES) private readonly tools: AccountDependencies) {}

  /** Lets an account be logged in to by way of an identity provider. */
  @HandlesCommand(linkIdentity)
  link(message: CommandOf<typeof linkIdentity>): AnswerTo<typeof linkIdentity> {
    const { userId, identityDigest, issuer } = message.data;
    const identity = { identityDigest, issuer, linkedAtMs: message.at };
    return this.run(
      [
        decision(externalIdentity, identityDigest, { type: 'reserve', userId, identityDigest }),
        decision(user, userId, { type: 'link-identity', userId, identity }),
      ],
      decisionMeta(message),
    );
  }

  /** Unlinks an identity. */
  @HandlesCommand(unlinkIdentity)
  unlink(message: CommandOf<typeof unlinkIdentity>): AnswerTo<typeof unlinkIdentity> {
    const { userId, identityDigest } = message.data;
    return this.run(
      [
        decision(externalIdentity, identityDigest, { type: 'release', userId, identityDigest }),
        decision(user, userId, { type: 'unlink-identity', userId, identityDigest }),
      ],
      decisionMeta(message),
    );
  }

  /** Calls an API key otherwise. */
  @HandlesCommand(renameApiKey)
  rename(message: CommandOf<typeof renameApiKey>): AnswerTo<typeof renameApiKey> {
    const { userId, keyId, name } = message.data;
    return this.run([decision(user, userId, { type: 'rename-api-key', userId, keyId, name })], decisionMeta(message));
  }

  private async run(
    decisions: Parameters<AccountDependencies['aggregates']['run']>[0],
    meta: DecisionMeta,
  ): Promise<Handled<Record<string, never>>> {
    return done(this.tools.aggregates.run(decisions, meta));
  }
}
