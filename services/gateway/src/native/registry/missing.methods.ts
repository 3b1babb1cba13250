import { notServedYet, type MissingRow } from '../method.js';
import type { ApiVersion } from '../versions/policy.js';

const from4: readonly ApiVersion[] = [4, 5, 6, 8];
const from6: readonly ApiVersion[] = [6, 8];

/** One row per action, all of one feature. */
const missing = <N extends string>(feature: string, actions: Readonly<Record<N, readonly ApiVersion[]>>): Readonly<Record<N, MissingRow>> =>
  Object.fromEntries(
    Object.entries<readonly ApiVersion[]>(actions).map(([name, versions]) => [name, notServedYet(feature, versions)]),
  ) as Record<N, MissingRow>;

/**
 * Actions of the specification that this server does not serve yet, by feature. Each answers 4703 and names its feature, so that clients show
 * what is off instead of failing. A row leaves this file when its method arrives.
 */
export const missingMethods = {
  ...missing('lastfm_api_key', {
    update_artist_info: from4,
  }),
  ...missing('metadata_update', {
    get_external_metadata: from6,
  }),
};
