import { OperatorError } from '../../connect/operator-error.js';
import type { Manifest } from '../format/manifest.js';
import { cutsAt, endOfMs, timeOf, type Cut } from '../streams/cut.js';

/** The moment that somebody means: an ISO time, or `<stream>=<position>`, ns. @throws OperatorError when it is neither, or not in the backup */
const momentOf = async (folder: string, manifest: Manifest, wanted: string): Promise<bigint> => {
  const position = /^(EV_[A-Z]+)=(\d+)$/.exec(wanted);
  if (!position) {
    const ms = Date.parse(wanted);
    if (Number.isNaN(ms) || !/^\d{4}-\d\d-\d\d/.test(wanted))
      throw new OperatorError(
        `"${wanted}" is no time and no position`,
        'say a time such as 2026-11-21T13:00:00Z, or a position such as EV_LIBRARY=1234',
      );
    if (ms > Date.parse(manifest.finishedAt))
      throw new OperatorError(
        `the backup ends before ${wanted}`,
        `it was finished at ${manifest.finishedAt}: take a newer one, or an earlier time`,
      );
    return endOfMs(ms);
  }
  const [, name, number] = position;
  const stream = manifest.streams.find((entry) => entry.name === name);
  const time = stream && (await timeOf(folder, stream, Number(number)));
  if (time === undefined) throw new OperatorError(`the backup has no ${wanted}`, `${name} goes up to ${stream?.state.last_seq ?? 0} in it`);
  return time;
};

/**
 * Where each event stream ends at a moment.
 * @throws OperatorError when the moment cannot be read, lies behind the backup, or before anything happened
 */
export const cutsFor = async (folder: string, manifest: Manifest, wanted: string): Promise<Cut> => {
  const cuts = await cutsAt(folder, manifest.streams, await momentOf(folder, manifest, wanted));
  if ([...cuts.values()].every((last) => last === 0)) throw new OperatorError(`nothing had happened at ${wanted}`, 'name a later moment');
  return cuts;
};
