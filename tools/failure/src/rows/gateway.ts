import { noneOf, type Finding } from '../checks/finding.js';
import { behindGateways, type ServiceName } from '../cluster/cluster.js';
import { administrator, ask } from '../http/api-client.js';
import { retryUntil } from '../until.js';
import { hear, addSongWithSound, type ListenedSong } from './listened-cluster.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const SECONDS = 240;
const GATEWAYS = ['gateway-1', 'gateway-2'] as const satisfies readonly ServiceName[];
const READY_MS = 120_000;
/** So much has been heard when the gateway dies. */
const BEFORE_DEATH = 64 * 1024;
const RATED_MS = 60_000;

/** A gateway dies with open responses; whoever listened goes on at the other one, whoever rated something sends it there. */
export const gatewayDies = (options: RowOptions): Promise<RowReport> =>
  underLoad(options, {
    row: 'gateway',
    cluster: { services: [...GATEWAYS, 'library-1', ...behindGateways], settings: administrator },
    fault: async (scene) => {
      const song = await addSongWithSound(scene.cluster, scene.load, scene.home, SECONDS);
      const findings: Finding[] = [];
      const resumedMs: number[] = [];
      for (let round = 0; round < scene.rounds; round += 1) {
        const { found, firstByteMs } = await dies(scene, song, round);
        findings.push(...found);
        resumedMs.push(firstByteMs);
      }
      return { faults: scene.rounds, findings, figures: { resumedMs } };
    },
  });

const dies = async ({ cluster, say }: Scene, song: ListenedSong, round: number) => {
  const [dying, other] = round % 2 === 0 ? GATEWAYS : ([GATEWAYS[1], GATEWAYS[0]] as const);
  const query = { id: song.id, format: 'raw' };
  const rating = String(1 + (round % 5));
  let killed: Promise<void> | undefined;
  const first = await hear(cluster.gatewayUrl(dying), query, 0, async (received) => {
    if (received > BEFORE_DEATH) await (killed ??= cluster.part(dying).kill());
  });
  await killed;
  await rate(cluster.gatewayUrl(other), song.id, rating);
  const rest = first.isWhole ? undefined : await hear(cluster.gatewayUrl(other), query, first.bytes.length);
  const heard = Buffer.concat([first.bytes, ...(rest ? [rest.bytes] : [])]);
  say(`${dying} died after ${first.bytes.length} of ${song.bytes.length} bytes, ${other} sent the rest after ${rest?.firstByteMs} ms`);
  await cluster.part(dying).revive();
  await cluster.ready(READY_MS);
  const shown = await shownRating(cluster.gatewayUrl(dying), song.id);
  const found = [
    noneOf(`${dying}: responses that the death did not break`, first.isWhole ? ['whole'] : []),
    noneOf(
      `${dying}: bytes of the two that are not the file`,
      heard.equals(song.bytes) ? [] : [`${heard.length} of ${song.bytes.length}`],
      `${heard.length} bytes`,
    ),
    noneOf(`${dying}: acknowledged ratings that it does not show afterwards`, shown === rating ? [] : [`${shown}, set ${rating}`]),
  ];
  return { found, firstByteMs: rest?.firstByteMs ?? 0 };
};

const rate = (gateway: string, id: string, rating: string): Promise<void> =>
  retryUntil('the rating is taken', RATED_MS, async () => {
    const { isGood, reason } = await ask(gateway, 'setRating', { id, rating });
    if (!isGood) throw new Error(reason);
  });

const shownRating = (gateway: string, id: string): Promise<string> =>
  retryUntil('the song is shown', RATED_MS, async () => {
    const { body, isGood, reason } = await ask(gateway, 'getSong', { id });
    if (!isGood) throw new Error(reason);
    return String((body['song'] as { userRating?: number }).userRating);
  });
