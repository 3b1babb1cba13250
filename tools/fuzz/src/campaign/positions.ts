import type { World } from '../world/world.js';

/** Last sequence numbers of the logs of events, by name. */
export const logPositions = async ({ server }: World): Promise<Readonly<Record<string, number>>> => {
  const positions: Record<string, number> = {};
  for await (const { config, state } of server.session.manager.streams.list())
    if (config.name.startsWith('EV_')) positions[config.name] = state.last_seq;
  return positions;
};

/** Logs that have grown, and by how many events. */
export const growth = (before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): string[] =>
  Object.entries(after).flatMap(([name, last]) => (last > (before[name] ?? 0) ? [`${name} +${last - (before[name] ?? 0)}`] : []));
