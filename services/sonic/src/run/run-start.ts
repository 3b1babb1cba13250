import { decision, type AggregateRunner, type DecisionMeta } from '@continuo/chassis';
import {
  MAX_SONIC_PARTS,
  Rejection,
  sonicRunId,
  SOUNDS_PER_BLOCK,
  type CatalogId,
  type LogPosition,
  type ReadModel,
  type SonicRunId,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { createHash } from 'node:crypto';
import type { Analyser } from '../plugin/analyser.js';
import { highestSongId, openRuns } from './part-songs.reads.js';
import { runAggregate } from './run.decider.js';

/** Dependencies of a start. */
export interface RunStartDependencies {
  readonly aggregates: AggregateRunner;
  readonly db: Kysely<ReadModel>;
  readonly analyser: Analyser | undefined;
}

/** Requested scope of a run. */
export interface RunRequest {
  readonly catalogId?: CatalogId | undefined;
  readonly again: boolean;
}

/** The id of the run that a command starts: from the command's id, so that the same command finds its run again. */
const runIdOf = (commandId: string): SonicRunId => sonicRunId.parse(createHash('sha256').update(commandId).digest('hex').slice(0, 32));

/** Cuts the ids of all songs into parts; a part holds whole blocks, so that no two workers write the same one. */
export const partsOf = (highestId: number): { readonly parts: number; readonly idsPerPart: number } => {
  const blocks = Math.ceil((highestId + 1) / SOUNDS_PER_BLOCK);
  const blocksPerPart = Math.ceil(blocks / MAX_SONIC_PARTS);
  return { parts: Math.ceil(blocks / blocksPerPart), idsPerPart: blocksPerPart * SOUNDS_PER_BLOCK };
};

/**
 * Starts a run, or answers the one that goes on for the same songs.
 * @throws Rejection `feature.disabled` when nothing analyses here
 */
export const startRun = async (
  { aggregates, db, analyser }: RunStartDependencies,
  { catalogId, again }: RunRequest,
  meta: DecisionMeta & { readonly commandId: string },
): Promise<{ readonly runId: SonicRunId; readonly positions: readonly LogPosition[] }> => {
  if (!analyser) throw new Rejection('feature.disabled', 'no sonic plug-in that analyses songs is switched on');
  const open = await openRuns(db);
  const same = open.find((run) => run.model === analyser.model && run.again === again && run.catalogId === (catalogId ?? null));
  if (same) return { runId: sonicRunId.parse(same.id), positions: [] };
  // Nobody will ever work on runs of a model that was replaced.
  for (const { id } of open.filter(({ model }) => model !== analyser.model))
    await aggregates.run([decision(runAggregate, id, { type: 'cancel' })], { ...meta, commandId: `${meta.commandId}:${id}` });
  const runId = runIdOf(meta.commandId);
  const wanted = { runId, model: analyser.model, catalogId, again, ...partsOf(await highestSongId(db)) };
  const { position } = await aggregates.run([decision(runAggregate, runId, { type: 'request', wanted })], meta);
  return { runId, positions: position ? [position] : [] };
};
