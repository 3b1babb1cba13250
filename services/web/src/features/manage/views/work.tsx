import { AudioLines, Ban, Eye, RefreshCw, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog } from '../../../ui/dialog.js';
import { openDialog } from '../../../ui/dialogs.js';
import { PillButton } from '../../../ui/buttons.js';
import { answered, manage, type Managed } from '../api.js';
import { ItemTable, type RowAction } from '../components/item-table.js';
import { removal } from '../components/removal.js';
import { Payload } from '../components/payload.js';
import { useRun } from '../components/use-run.js';
import { LOOK_EVERY_MS } from '../components/use-items.js';
import { WorkState } from '../components/work-state.js';
import { count, size, when } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

type DeadLetter = Managed['DeadLetter'];
type Worker = Managed['TranscodingWorker'];

const isOpen = ({ state }: Pick<Managed['Backup'], 'state'>): boolean => state === 'queued' || state === 'running';

const Queues = (): ReactNode => (
  <ItemTable
    title={m.queues}
    list="/queues"
    everyMs={LOOK_EVERY_MS}
    columns={[
      { name: m.name, cell: ({ name }) => name },
      { name: m.waiting, isNumber: true, cell: ({ depth }) => count(depth) },
      { name: m.inWork, isNumber: true, cell: ({ consumers }) => count(consumers.reduce((sum, { inWork }) => sum + inWork, 0)) },
      { name: m.idle, isNumber: true, cell: ({ consumers }) => count(consumers.reduce((sum, { idleWorkers }) => sum + idleWorkers, 0)) },
      { name: m.size, isNumber: true, cell: ({ sizeBytes }) => size(sizeBytes) },
      { name: m.oldest, cell: ({ oldestAt }) => (oldestAt === null ? m.none : when(oldestAt)) },
    ]}
    keyOf={({ name }) => name}
    empty={m.noQueues}
  />
);

const look = async ({ id }: DeadLetter): Promise<void> => {
  const { subject, payload, reason } = await answered(manage.GET('/dead-letters/{id}', { params: { path: { id } } }));
  openDialog(
    <Dialog title={subject}>
      <p className={styles['bad']}>{reason}</p>
      <Payload text={payload} />
    </Dialog>,
  );
};

const DEAD_LETTER_ACTIONS: readonly RowAction<DeadLetter>[] = [
  { name: ({ subject }) => m.look(subject), icon: Eye, run: look },
  {
    name: ({ subject }) => m.retry(subject),
    icon: Send,
    run: ({ id }) => answered(manage.POST('/dead-letters/retries', { body: { ids: [id] } })),
  },
  removal('/dead-letters/{id}', ({ subject }) => subject, { title: m.drop, text: m.dropText, label: m.dropLabel }),
];

const DeadLetters = (): ReactNode => (
  <ItemTable
    title={m.deadLetters}
    list="/dead-letters"
    columns={[
      { name: m.subject, cell: ({ subject }) => subject },
      { name: m.reason, cell: ({ reason }) => reason },
      { name: m.attempts, isNumber: true, cell: ({ attempts }) => count(attempts) },
      { name: m.givenUp, cell: ({ givenUpAt }) => when(givenUpAt) },
      { name: m.size, isNumber: true, cell: ({ sizeBytes }) => size(sizeBytes) },
    ]}
    keyOf={({ id }) => id}
    actions={DEAD_LETTER_ACTIONS}
    empty={m.noDeadLetters}
  />
);

const Made = ({ making }: Pick<Worker, 'making'>): ReactNode =>
  making.length === 0 ? (
    m.none
  ) : (
    <ul className={styles['rows']}>
      {making.map(({ path, mime, listeners, accounts, writtenBytes }) => (
        <li key={path}>
          {path} <span className={styles['dim']}>{[mime, size(writtenBytes), m.listening(listeners), ...accounts].join(', ')}</span>
        </li>
      ))}
    </ul>
  );

const Workers = (): ReactNode => (
  <ItemTable
    title={m.workers}
    list="/transcoding/workers"
    everyMs={LOOK_EVERY_MS}
    columns={[
      { name: m.name, cell: ({ id, problem }) => (problem === null ? id : <span className={styles['bad']}>{`${id}: ${problem}`}</span>) },
      { name: m.slots, isNumber: true, cell: ({ usedSlots, slots }) => m.progress(count(usedSlots), count(slots)) },
      { name: m.cache, isNumber: true, cell: ({ cacheBytes, cacheLimitBytes }) => m.progress(size(cacheBytes), size(cacheLimitBytes)) },
      { name: m.makes, cell: ({ making }) => <Made making={making} /> },
    ]}
    keyOf={({ id }) => id}
    empty={m.noWorkers}
  />
);

const Batches = (): ReactNode => (
  <ItemTable
    title={m.batches}
    list="/transcoding/batches"
    columns={[
      { name: m.name, cell: ({ title }) => title },
      { name: m.type, cell: ({ profile }) => profile.format },
      { name: m.state, cell: (work) => <WorkState work={work} /> },
      { name: m.made, isNumber: true, cell: ({ made, present, failed }) => [made, present, failed].map(count).join(' · ') },
      { name: m.size, isNumber: true, cell: ({ sizeBytes }) => size(sizeBytes) },
    ]}
    keyOf={({ id }) => id}
    actions={[
      {
        name: ({ title }) => m.cancelWork(title),
        icon: Ban,
        isFor: isOpen,
        run: ({ id }) => answered(manage.POST('/transcoding/batches/{id}/cancel', { params: { path: { id } } })),
      },
    ]}
    empty={m.noBatches}
  />
);

const SonicRuns = (): ReactNode => {
  const run = useRun();
  return (
    <ItemTable
      title={m.sonicRuns}
      list="/sonic/runs"
      columns={[
        { name: m.name, cell: ({ model }) => model },
        { name: m.state, cell: (work) => <WorkState work={work} /> },
        { name: m.analysed, isNumber: true, cell: ({ analysed, failed }) => [analysed, failed].map(count).join(' · ') },
        { name: m.since, cell: ({ startedAt }) => when(startedAt) },
      ]}
      keyOf={({ id }) => id}
      actions={[
        {
          name: ({ model }) => m.cancelWork(model),
          icon: Ban,
          isFor: isOpen,
          run: ({ id }) => answered(manage.POST('/sonic/runs/{id}/cancel', { params: { path: { id } } })),
        },
      ]}
      empty={m.noSonicRuns}
      tools={<PillButton icon={AudioLines} label={m.analyse} onPress={() => run(answered(manage.POST('/sonic/runs', { body: {} })))} />}
    />
  );
};

const Podcasts = (): ReactNode => {
  const run = useRun();
  return (
    <ItemTable
      title={m.podcastVisits}
      list="/podcasts"
      columns={[
        { name: m.name, cell: ({ title }) => title },
        { name: m.episodes, isNumber: true, cell: ({ episodeCount }) => count(episodeCount) },
        { name: m.visited, cell: ({ visitedAt }) => when(visitedAt) },
        { name: m.reason, cell: ({ problem }) => problem },
      ]}
      keyOf={({ id }) => id}
      actions={[
        {
          name: ({ title }) => m.visit(title),
          icon: RefreshCw,
          run: ({ id }) => answered(manage.POST('/podcasts/{id}/visits', { params: { path: { id } } })),
        },
      ]}
      empty={m.noPodcasts}
      tools={<PillButton icon={RefreshCw} label={m.visitAll} onPress={() => run(answered(manage.POST('/podcast-visits')))} />}
    />
  );
};

/** Queues, dead letters, transcoding workers and batches, podcasts, and runs of the sonic analysis. */
export const Work = (): ReactNode => (
  <>
    <Queues />
    <DeadLetters />
    <Workers />
    <Batches />
    <Podcasts />
    <SonicRuns />
  </>
);
