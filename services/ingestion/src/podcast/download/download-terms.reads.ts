import { builtInPreferences, type BuiltInPreference, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { DownloadTerms } from './downloads.js';

/** The account number under which the server's own values stand. */
const SERVER = 0;
const NEWEST = 'podcast_new_download';
const KEEP = 'podcast_keep';

const definitionOf = (name: BuiltInPreference) => builtInPreferences.find((one) => one.name === name);

/** The terms that an administrator has set as preferences of the server. */
export const readDownloadTerms = async (db: Kysely<ReadModel>): Promise<DownloadTerms> => {
  const [newest, keep] = [definitionOf(NEWEST), definitionOf(KEEP)];
  const rows = await db
    .selectFrom('social.user_preference')
    .select(['preference_id', 'value'])
    .where('user_id', '=', SERVER)
    .where('preference_id', 'in', [newest?.id ?? 0, keep?.id ?? 0])
    .execute();
  const valueOf = (definition: typeof newest): number =>
    Number(rows.find(({ preference_id }) => preference_id === definition?.id)?.value ?? definition?.default ?? 0);
  return { newest: valueOf(newest), keep: valueOf(keep) };
};
