import { line, max, rate, type Dashboard } from '../panel.js';

const LIVE = 'state="live"';

/** The log, what is written to it, and whether the tables follow. */
export const log: Dashboard = {
  uid: 'continuo-log',
  title: 'Continuo: log and tables',
  rows: [
    {
      title: 'Tables',
      panels: [
        {
          title: 'Behind the log, events',
          says: 'Events that the tables do not show yet.',
          unit: 'short',
          queries: [line(max('continuo_projection_lag_events', 'projection', LIVE), '{{projection}}')],
        },
        {
          title: 'Behind the log, seconds',
          says: 'Age of the oldest of them. It grows while one event cannot be taken; the log of the service says which.',
          unit: 's',
          queries: [line(max('continuo_projection_lag_seconds', 'projection', LIVE), '{{projection}}')],
        },
        {
          title: 'Tables being filled anew, events to go',
          says: 'After an upgrade with a new version of a table, or `continuo projections rebuild`. Readers see the old ones meanwhile.',
          unit: 'short',
          queries: [line(max('continuo_projection_lag_events', 'projection', 'state="building"'), '{{projection}}')],
        },
        {
          title: 'Events projected a second',
          says: 'How fast the tables follow.',
          unit: 'ops',
          queries: [line(rate('continuo_projection_events_total', 'projection'), '{{projection}}')],
        },
        {
          title: 'Position in the log',
          says: 'A line that is flat while others rise stands still.',
          unit: 'short',
          queries: [line(max('continuo_projection_position', 'projection'), '{{projection}}')],
        },
        {
          title: 'Search indexes behind, events',
          says: 'Events whose songs are not found by words yet.',
          unit: 'short',
          queries: [line(max('continuo_search_index_lag_events', 'index'), '{{index}}')],
        },
      ],
    },
    {
      title: 'Log',
      panels: [
        {
          title: 'Appends that came too late, a second',
          says: 'Somebody else had changed the same thing; the writer decides anew. Many of them mean one thing that everybody writes.',
          unit: 'ops',
          queries: [line(rate('continuo_append_conflicts_total', 'aggregate'), '{{aggregate}}')],
        },
        {
          title: 'Event log writable',
          says: '1 while the log can be written, by service; 0 means that its disk is full or NATS acknowledges nothing.',
          unit: 'short',
          queries: [line('min by (service) (continuo_event_log_writable{%})', '{{service}}')],
        },
        {
          title: 'Commands a second',
          says: 'Everything that changes something.',
          unit: 'ops',
          queries: [line(`topk(12, ${rate('continuo_command_seconds_count', 'subject')})`, '{{subject}}')],
        },
        {
          title: 'Commands that were not done, a second',
          says: "`internal` and `unavailable` are the server's, the rest is what clients asked for.",
          unit: 'ops',
          queries: [line(rate('continuo_command_seconds_count', 'outcome', 'outcome!="ok"'), '{{outcome}}')],
        },
        {
          title: 'Size of the streams',
          says: 'On the disk of each NATS server that has a copy.',
          unit: 'bytes',
          queries: [line(max('continuo_stream_bytes', 'stream'), '{{stream}}')],
        },
        {
          title: 'Messages of the streams',
          says: 'Logs keep everything; queues hold what is not done.',
          unit: 'short',
          queries: [line(max('continuo_stream_messages', 'stream'), '{{stream}}')],
        },
        {
          title: 'Connections to NATS that came back, an hour',
          says: 'Each was lost before.',
          unit: 'short',
          queries: [line('sum by (service) (increase(continuo_nats_reconnects_total{%}[1h]))', '{{service}}')],
        },
      ],
    },
  ],
};
