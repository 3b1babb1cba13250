import { decision, done, type Decision, type DecisionMeta, type Handled } from '@continuo/chassis';
import { Rejection, type UserId } from '@continuo/contracts';
import type { AccountDependencies } from './account-dependencies.js';
import { administratorDecisions, onCurrentState } from './change-user.js';
import { externalIdentity } from './external-identity.decider.js';
import { user } from './user.decider.js';
import { userEmail } from './user-email.decider.js';
import { userName } from './user-name.decider.js';
import type { UserState } from './user-state.js';

/** Frees the identities by which the account could be logged in to. */
const identityReleases = (userId: UserId, { identities }: UserState): Decision[] =>
  identities.map((identityDigest) => decision(externalIdentity, identityDigest, { type: 'release', userId, identityDigest }));

/** Frees what the account held on to. A profile that nobody can open any more leaves its name taken: nobody knows which it was. */
const releases = async ({ secrets }: AccountDependencies, userId: UserId, state: UserState): Promise<Decision[]> => {
  const profile = await secrets.openProfile(userId, state.sealedProfile);
  if (!profile) return [];
  const nameDigest = secrets.nameDigest(profile.username);
  const emailDigest = profile.email === undefined ? undefined : secrets.emailDigest(profile.email);
  return [
    decision(userName, nameDigest, { type: 'release', userId, nameDigest }),
    ...(emailDigest === undefined ? [] : [decision(userEmail, emailDigest, { type: 'release', userId, emailDigest })]),
  ];
};

/**
 * Deletes an account and destroys its key. The reactor on `UserDeleted` destroys the key too, should this process end in between.
 * @throws Rejection `user.not-found`, `user.last-administrator`
 */
export const deleteAccount = async (
  tools: AccountDependencies,
  userId: UserId,
  meta: DecisionMeta,
): Promise<Handled<Record<string, never>>> => {
  const outcome = await onCurrentState(async () => {
    const { state } = await tools.aggregates.load(user, userId);
    if (state.status === 'none') throw new Rejection('user.not-found', undefined, 'user');
    if (state.status === 'deleted') return { events: [] };
    const decisions = [
      decision(user, userId, { type: 'delete', userId, revision: state.revision }),
      ...identityReleases(userId, state),
      ...(await releases(tools, userId, state)),
      ...(await administratorDecisions(tools, userId, state, { access: 5, disabled: true })),
    ];
    return tools.aggregates.run(decisions, meta);
  });
  await tools.secrets.forget(userId);
  return done(outcome);
};
