import { line, max, quantile, rate, sum, type Dashboard } from '../panel.js';

/** Dashboard of scans, external metadata, and outgoing requests. */
export const ingestion: Dashboard = {
  uid: 'continuo-ingestion',
  title: 'Continuo: ingestion and other servers',
  rows: [
    {
      title: 'Scans',
      panels: [
        {
          title: 'Files and songs a second',
          says: 'What scans come by and what becomes of it.',
          unit: 'ops',
          width: 12,
          queries: [line(rate('continuo_scan_files_total', 'outcome'), '{{outcome}}')],
        },
        {
          title: 'Scans',
          says: 'Scans under way, and those that wait or are at work in the queue.',
          unit: 'short',
          width: 12,
          queries: [
            line(sum('continuo_scans_running'), 'running'),
            line(max('continuo_queue_waiting', '', 'consumer="ingest-scan-catalog"'), 'waiting'),
          ],
        },
        {
          title: 'Writing to the library, commands a second',
          says: 'Folders and whatever else the ingestion tells.',
          unit: 'ops',
          queries: [line(rate('continuo_command_seconds_count', 'subject', 'subject=~"cmd.library.*"'), '{{subject}}')],
        },
        {
          title: 'Writing to the library, p95',
          says: 'A command per folder of media.',
          unit: 's',
          queries: [line(quantile(0.95, 'continuo_command_seconds', 'subject', 'subject=~"cmd.library.*"'), '{{subject}}')],
        },
        {
          title: 'Entries of search indexes a second',
          says: 'Songs, albums and artists that become findable.',
          unit: 'ops',
          queries: [line(rate('continuo_search_index_entries_total', 'index, operation'), '{{index}} {{operation}}')],
        },
      ],
    },
    {
      title: 'Other servers',
      panels: [
        {
          title: 'Requests to other servers a second',
          says: 'By what they are for: places of media, podcasts, plug-ins, webhooks, the relay of plays, stations.',
          unit: 'reqps',
          queries: [line(rate('continuo_outbound_requests_total', 'purpose, outcome'), '{{purpose}} {{outcome}}')],
        },
        {
          title: 'Time until they begin to answer, p95',
          says: 'A place that is slow makes songs slow.',
          unit: 's',
          queries: [line(quantile(0.95, 'continuo_outbound_request_seconds', 'purpose'), '{{purpose}}')],
        },
        {
          title: 'Plays that wait for other services',
          says: 'What ListenBrainz and Last.fm are yet to be told.',
          unit: 'short',
          queries: [line(sum('continuo_relay_waiting_plays', 'to'), '{{to}}')],
        },
        {
          title: 'Links to other services by state',
          says: '`refused` ones need their people to sign in there anew.',
          unit: 'short',
          queries: [line(max('continuo_relay_links', 'to, state'), '{{to}} {{state}}')],
        },
        {
          title: 'Questions to plug-ins a minute',
          says: 'By what came of them.',
          unit: 'cpm',
          queries: [line(`${rate('continuo_plugin_answers_total', 'plugin, outcome')} * 60`, '{{plugin}} {{outcome}}')],
        },
        {
          title: 'Songs analysed a minute',
          says: 'What the sonic analysis came by.',
          unit: 'cpm',
          queries: [line(`${rate('continuo_sonic_songs_total', 'outcome')} * 60`, '{{outcome}}')],
        },
      ],
    },
  ],
};
