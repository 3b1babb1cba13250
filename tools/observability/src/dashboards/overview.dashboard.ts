import { line, max, quantile, quantiles, rate, sum, type Dashboard } from '../panel.js';

/** Dashboard that an operator looks at first: availability, latency, lag, free space. */
export const overview: Dashboard = {
  uid: 'continuo',
  title: 'Continuo',
  rows: [
    {
      title: 'Is it well?',
      panels: [
        {
          title: 'Copies that answer',
          says: 'Copies of each service that Prometheus reaches. A service at 0 is down.',
          unit: 'short',
          queries: [line('sum by (service) (up{%, job=~".*continuo.*"})', '{{service}}')],
        },
        {
          title: 'Requests a second',
          says: 'Requests by part of the server: the native API with parameters and as REST, the compatibility API, media, pages.',
          unit: 'reqps',
          queries: [line(rate('continuo_http_requests_total', 'surface', 'surface!="status"'), '{{surface}}')],
          stacked: true,
        },
        {
          title: 'How requests end, share',
          says: '`failed` is the fault of the server and should be nothing; `refused` is that of clients; `aborted` are listeners who went on to something else.',
          unit: 'percentunit',
          queries: [
            line(
              `${rate('continuo_http_requests_total', 'outcome', 'outcome!="ok"')} / ignoring (outcome) group_left () ${rate('continuo_http_requests_total')}`,
              '{{outcome}}',
            ),
          ],
        },
        {
          title: 'Time to the end of an answer',
          says: 'Documents of both APIs and pages; media are on the page of the APIs.',
          unit: 's',
          queries: quantiles('continuo_http_request_seconds'),
        },
        {
          title: 'Tables behind the log, seconds',
          says: 'Age of the oldest event that the tables do not show yet. Readers see a state that is so old.',
          unit: 's',
          queries: [line(max('continuo_projection_lag_seconds', 'projection', 'state="live"'), '{{projection}}')],
        },
        {
          title: 'Jobs that wait',
          says: 'Work that nobody has taken yet. A line that only grows wants more workers.',
          unit: 'short',
          queries: [line(max('continuo_queue_waiting', 'consumer', 'stream=~"JOBS_.*"'), '{{consumer}}')],
        },
      ],
    },
    {
      title: 'Is there room?',
      panels: [
        {
          title: 'Dead letters',
          says: 'Jobs and events that were given up. `continuo dead-letters list` says why.',
          unit: 'short',
          queries: [line(max('continuo_dead_letters'), 'dead letters')],
        },
        {
          title: 'Places for transcodes',
          says: 'When all are taken, listeners are turned away or get the original.',
          unit: 'short',
          queries: [line(sum('continuo_transcode_slots_used'), 'taken'), line(sum('continuo_transcode_slots'), 'there are')],
        },
        {
          title: 'Connections to Postgres, share in use',
          says: 'At 1 statements wait.',
          unit: 'percentunit',
          queries: [
            line(`${sum('continuo_database_connections_used', 'pool')} / ${sum('continuo_database_connections', 'pool')}`, '{{pool}}'),
          ],
        },
        {
          title: 'Event loop, p99 of its lag',
          says: 'How long everything in a process waits for its turn. Above 0.1 s it has too much to do on one core.',
          unit: 's',
          queries: [line(max('nodejs_eventloop_lag_p99_seconds', 'service'), '{{service}}')],
        },
        {
          title: 'Memory',
          says: 'Resident memory of the processes.',
          unit: 'bytes',
          queries: [line(sum('process_resident_memory_bytes', 'service'), '{{service}}')],
        },
        {
          title: 'Processor',
          says: 'Cores in use.',
          unit: 'short',
          queries: [line(rate('process_cpu_seconds_total', 'service'), '{{service}}')],
        },
      ],
    },
    {
      title: 'Who is there?',
      panels: [
        { title: 'Sessions', says: 'Sessions that are alive.', unit: 'short', queries: [line(max('continuo_sessions'), 'sessions')] },
        {
          title: 'Media sent',
          says: 'Bytes a second that listeners get.',
          unit: 'Bps',
          queries: [line(rate('continuo_http_sent_bytes_total', 'surface'), '{{surface}}')],
        },
        {
          title: 'Searches by words, p95',
          says: 'Time in which an index answers.',
          unit: 's',
          queries: [line(quantile(0.95, 'continuo_search_seconds', 'index'), '{{index}}')],
        },
      ],
    },
  ],
};
