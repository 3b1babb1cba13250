import { line, max, quantile, quantiles, rate, sum, type Dashboard } from '../panel.js';

const top = (expr: string): string => `topk(12, ${expr})`;
const BY_OPERATION = 'surface, operation';
const NO_STATUS = 'surface!="status"';

/** Every operation of the APIs: how often, how it ends, how long it takes. */
export const api: Dashboard = {
  uid: 'continuo-api',
  title: 'Continuo: the APIs',
  rows: [
    {
      title: 'Operations',
      panels: [
        {
          title: 'Busiest operations, a second',
          says: 'The twelve that are called most.',
          unit: 'reqps',
          width: 12,
          queries: [line(top(rate('continuo_http_requests_total', BY_OPERATION, NO_STATUS)), '{{surface}} {{operation}}')],
        },
        {
          title: 'Operations that fail, a second',
          says: 'The fault of the server. The log has a line with the correlation id of each; `unavailable` is a part that does not answer.',
          unit: 'reqps',
          width: 12,
          queries: [line(top(rate('continuo_http_requests_total', BY_OPERATION, 'outcome="failed"')), '{{surface}} {{operation}}')],
        },
        {
          title: 'Slowest operations, p95',
          says: 'The twelve with the slowest documents.',
          unit: 's',
          width: 12,
          queries: [line(top(quantile(0.95, 'continuo_http_request_seconds', BY_OPERATION, NO_STATUS)), '{{surface}} {{operation}}')],
        },
        {
          title: 'Operations that are refused, a second',
          says: 'Wrong passwords, things that are not there, parameters that cannot be used. Much of it from one client is a client that is broken.',
          unit: 'reqps',
          width: 12,
          queries: [line(top(rate('continuo_http_requests_total', BY_OPERATION, 'outcome="refused"')), '{{surface}} {{operation}}')],
        },
        {
          title: 'HTTP statuses, a second',
          says: 'The APIs tell most of their refusals with status 200.',
          unit: 'reqps',
          queries: [line(rate('continuo_http_responses_total', 'status'), '{{status}}')],
        },
        {
          title: 'Versions of the native API, calls a second',
          says: 'What clients speak.',
          unit: 'reqps',
          queries: [line(rate('continuo_native_calls_total', 'version, format'), '{{version}} {{format}}')],
        },
        {
          title: 'Requests being answered',
          says: 'Streams count while they last.',
          unit: 'short',
          queries: [line(sum('continuo_http_requests_in_flight'), 'requests'), line(sum('continuo_event_streams'), 'event streams')],
        },
      ],
    },
    {
      title: 'Media',
      panels: [
        {
          title: 'First byte of media',
          says: 'From the request to the first byte that is heard.',
          unit: 's',
          queries: quantiles('continuo_http_first_byte_seconds'),
        },
        {
          title: 'Media, whole time, p95',
          says: 'As long as somebody listens or downloads.',
          unit: 's',
          queries: [line(quantile(0.95, 'continuo_http_stream_seconds', BY_OPERATION), '{{surface}} {{operation}}')],
        },
        {
          title: 'Bytes a second',
          says: 'Media that went out, by operation.',
          unit: 'Bps',
          queries: [line(rate('continuo_http_sent_bytes_total', BY_OPERATION), '{{surface}} {{operation}}')],
        },
      ],
    },
    {
      title: 'Behind the answers',
      panels: [
        {
          title: 'Caches, share of hits',
          says: 'Pictures in their sizes, lists of ids, rankings. A stale list counts as a hit.',
          unit: 'percentunit',
          queries: [
            line(
              `${rate('continuo_cache_lookups_total', 'cache', 'outcome!="miss"')} / ${rate('continuo_cache_lookups_total', 'cache')}`,
              '{{cache}}',
            ),
          ],
        },
        {
          title: 'Costly work, places in use',
          says: 'Lists without a cap, archives, uploads, pictures being resized.',
          unit: 'short',
          queries: [
            line(sum('continuo_places_used', 'work'), '{{work}}'),
            line(sum('continuo_places_waiting', 'work'), '{{work}} waiting'),
          ],
        },
        {
          title: 'Connections to Postgres, statements that wait',
          says: 'More than a moment above 0: raise DATABASE_POOL_SIZE, or look for slow statements.',
          unit: 'short',
          queries: [line(max('continuo_database_waiting', 'pool'), '{{pool}}')],
        },
        {
          title: 'Searches, time by index, p95',
          says: 'Meilisearch where there is one, else the index in Postgres, else the read model.',
          unit: 's',
          queries: [line(quantile(0.95, 'continuo_search_seconds', 'index'), '{{index}}')],
        },
        {
          title: 'Searches that an index did not answer, a minute',
          says: 'The next index answered in its place.',
          unit: 'cpm',
          queries: [line(`${rate('continuo_search_index_misses_total', 'index, fault')} * 60`, '{{index}} {{fault}}')],
        },
        {
          title: 'Commands, p95',
          says: 'Time in which the services behind answer.',
          unit: 's',
          queries: [line(top(quantile(0.95, 'continuo_command_seconds', 'subject')), '{{subject}}')],
        },
      ],
    },
  ],
};
