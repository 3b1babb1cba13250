import { line, max, quantile, quantiles, rate, sum, type Dashboard } from '../panel.js';

/** Work queues, reactors, transcoding, and what goes out of the house. */
export const jobs: Dashboard = {
  uid: 'continuo-jobs',
  title: 'Continuo: jobs and transcoding',
  rows: [
    {
      title: 'Queues',
      panels: [
        {
          title: 'Waiting',
          says: 'Jobs, and events of reactors, that nobody has taken yet.',
          unit: 'short',
          queries: [line(max('continuo_queue_waiting', 'consumer'), '{{consumer}}')],
        },
        {
          title: 'In flight',
          says: 'At work, or waiting for their next attempt.',
          unit: 'short',
          queries: [line(max('continuo_queue_in_flight', 'consumer'), '{{consumer}}')],
        },
        {
          title: 'Given out more than once',
          says: 'Attempts that failed, or workers that died.',
          unit: 'short',
          queries: [line(max('continuo_queue_redelivered', 'consumer'), '{{consumer}}')],
        },
        {
          title: 'Jobs and events by how they end, a minute',
          says: '`failed` is tried again, `dead` is given up, `handed-back` comes from workers that stop.',
          unit: 'cpm',
          queries: [line(`${rate('continuo_jobs_total', 'subject, outcome', 'outcome!="skipped"')} * 60`, '{{subject}} {{outcome}}')],
        },
        {
          title: 'Time of a job, p95',
          says: 'From taking it to its end.',
          unit: 's',
          queries: [line(quantile(0.95, 'continuo_job_seconds', 'subject'), '{{subject}}')],
        },
        {
          title: 'Dead letters',
          says: '`continuo dead-letters list` says why, `continuo dead-letters replay` tries again.',
          unit: 'short',
          queries: [line(max('continuo_dead_letters'), 'dead letters')],
        },
      ],
    },
    {
      title: 'Transcoding',
      panels: [
        {
          title: 'Places',
          says: 'Raise TRANSCODE_SLOTS or add workers when all are taken for long.',
          unit: 'short',
          queries: [line(sum('continuo_transcode_slots_used'), 'taken'), line(sum('continuo_transcode_slots'), 'there are')],
        },
        {
          title: 'Turned away, a minute',
          says: 'Requests that found every slot of a worker taken.',
          unit: 'cpm',
          queries: [line(`${rate('continuo_transcodes_turned_away_total')} * 60`, 'turned away')],
        },
        {
          title: 'First byte of a transcode',
          says: 'From the start of ffmpeg to what it gives first.',
          unit: 's',
          queries: quantiles('continuo_transcode_first_byte_seconds'),
        },
        {
          title: 'Transcodes, a minute',
          says: 'Begun, by format.',
          unit: 'cpm',
          queries: [line(`${rate('continuo_transcodes_started_total', 'format')} * 60`, '{{format}}')],
        },
        {
          title: 'How transcodes end, a minute',
          says: '`killed` ones lost their listeners; `failed` ones are in the log with what ffmpeg said.',
          unit: 'cpm',
          queries: [line(`${rate('continuo_transcodes_ended_total', 'outcome')} * 60`, '{{outcome}}')],
        },
        {
          title: 'Cache of transcodes, lookups a second',
          says: 'Finished transcodes that are kept.',
          unit: 'ops',
          queries: [line(rate('continuo_transcode_cache_lookups_total', 'outcome'), '{{outcome}}')],
        },
        {
          title: 'Size of that cache',
          says: 'Of each worker; TRANSCODE_CACHE_BYTES bounds it.',
          unit: 'bytes',
          queries: [line(sum('continuo_transcode_cache_bytes'), 'kept')],
        },
        {
          title: 'Listeners of transcodes under way',
          says: 'Several may listen to one.',
          unit: 'short',
          queries: [line(sum('continuo_transcode_readers'), 'listeners')],
        },
      ],
    },
  ],
};
