/** Something that somebody has to look at. */
export interface Alert {
  readonly name: string;
  /** PromQL over series of one installation: `{%}` and `{%, …}` stand for its label. */
  readonly expr: string;
  /** Time that it must hold, such as `10m`; absent: at once. */
  readonly lasting?: string;
  /** `critical`: people notice now. */
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  /** Meaning and remedy, for the rule and for the handbook. */
  readonly remedy: string;
}

const OURS = 'job=~".*continuo.*"';

/** The alerts, the most urgent first. */
export const alerts: readonly Alert[] = [
  {
    name: 'ContinuoServiceDown',
    expr: `sum by (service) (up{%, ${OURS}}) == 0`,
    lasting: '2m',
    severity: 'critical',
    summary: 'No copy of {{ $labels.service }} answers',
    remedy:
      'Look why its processes do not run: the last lines of their log say what is missing (`service ready` never came), or the system ended them for memory. Nothing that was acknowledged is lost: commands are refused meanwhile, jobs wait in their queues.',
  },
  {
    name: 'ContinuoServiceGone',
    expr: `group by (service) (max_over_time(up{%, ${OURS}}[6h])) unless group by (service) (up{%, ${OURS}})`,
    lasting: '5m',
    severity: 'critical',
    summary: 'There is no copy of {{ $labels.service }} any more',
    remedy: 'Somebody has scaled it to nothing or taken it away. Every service but `sonic` is needed.',
  },
  {
    name: 'ContinuoLogFull',
    expr: 'min by (service) (continuo_event_log_writable{%}) == 0',
    lasting: '1m',
    severity: 'critical',
    summary: 'The event log cannot be written: nothing new is taken',
    remedy:
      'No space is left on the disk of NATS, or NATS does not acknowledge writes; `continuo doctor` and `/health/ready` say which. Make room or give it a larger disk: writing goes on by itself within half a minute. Reading and playing go on meanwhile, and nothing that was acknowledged is lost.',
  },
  {
    name: 'ContinuoLogDamaged',
    expr: 'max by (stream) (continuo_event_log_missing_positions{%}) > 0',
    severity: 'critical',
    summary: 'The event log {{ $labels.stream }} is damaged: {{ $value }} positions are missing',
    remedy:
      'Commands that need this log are refused, reads go on. `continuo doctor` says what is missing, the handbook the way back: a backup, a healthy replica, or going on with what is left.',
  },
  {
    name: 'ContinuoErrors',
    expr: 'sum(rate(continuo_http_requests_total{%, outcome="failed"}[5m])) / sum(rate(continuo_http_requests_total{%}[5m])) > 0.01',
    lasting: '10m',
    severity: 'critical',
    summary: 'More than one request in a hundred fails',
    remedy:
      'The dashboard of the APIs shows which operations. `continuo doctor` names a part that does not answer. Each failure has a line in the log of the gateway, `a request failed`, with the correlation id under which the other services wrote theirs.',
  },
  {
    name: 'ContinuoSlow',
    expr: 'histogram_quantile(0.95, sum by (le, surface) (rate(continuo_http_request_seconds_bucket{%}[10m]))) > 1',
    lasting: '15m',
    severity: 'warning',
    summary: 'One request in twenty of {{ $labels.surface }} takes more than a second',
    remedy:
      'See on the dashboard of the APIs which operation it is, and whether statements wait for Postgres (`continuo_database_waiting`) or the event loop is late. More copies of the gateway help when it is the processor.',
  },
  {
    name: 'ContinuoProjectionBehind',
    expr: 'max by (projection) (continuo_projection_lag_seconds{%, state="live"}) > 300',
    lasting: '10m',
    severity: 'warning',
    summary: 'The tables of {{ $labels.projection }} show the state of {{ $value | humanizeDuration }} ago',
    remedy:
      'During a first scan of a large library that is so for a while. Otherwise look at the load of Postgres; `continuo projections status` tells whether the number falls.',
  },
  {
    name: 'ContinuoProjectionStands',
    expr: 'max by (projection) (continuo_projection_lag_events{%, state="live"}) > 0 and sum by (projection) (rate(continuo_projection_events_total{%}[10m])) == 0',
    lasting: '10m',
    severity: 'critical',
    summary: 'The tables of {{ $labels.projection }} have stopped to follow the log',
    remedy:
      'The log of the service says `projection interrupted` and why: Postgres refuses something, or an event cannot be taken. `continuo doctor` tells whether tables and log belong together. After a repair, `continuo projections rebuild <name>` fills the tables anew beside the old ones.',
  },
  {
    name: 'ContinuoDeadLetters',
    expr: 'sum by (subject) (increase(continuo_jobs_total{%, outcome="dead"}[1h])) > 0',
    severity: 'warning',
    summary: 'Jobs of {{ $labels.subject }} were put aside after all their tries',
    remedy:
      '`continuo dead-letters list` shows them with their reasons. When the reason is gone, `continuo dead-letters replay` tries them again.',
  },
  {
    name: 'ContinuoJobsWait',
    expr: 'max by (consumer) (continuo_queue_waiting{%, stream=~"JOBS_.*"}) > 0 and max by (consumer) (continuo_queue_in_flight{%, stream=~"JOBS_.*"}) == 0',
    lasting: '10m',
    severity: 'warning',
    summary: 'Nobody takes the jobs of {{ $labels.consumer }}',
    remedy:
      'Is the service running that works on them, and does its configuration leave it a place (`*_SLOTS`, concurrency 0)? Restart it if it is connected and idle.',
  },
  {
    name: 'ContinuoTranscodersFull',
    expr: 'sum(continuo_transcode_slots_used{%}) >= sum(continuo_transcode_slots{%})',
    lasting: '10m',
    severity: 'warning',
    summary: 'Every place for transcodes has been taken for ten minutes',
    remedy:
      'Listeners wait or get the original. Raise `TRANSCODE_SLOTS` where there are cores left, add copies of the transcoding service, or in Kubernetes `autoscaling.transcoding.maxReplicas`.',
  },
  {
    name: 'ContinuoDatabaseBusy',
    expr: 'max by (service, pool) (continuo_database_waiting{%}) > 0',
    lasting: '10m',
    severity: 'warning',
    summary: 'Statements of {{ $labels.pool }} wait for a connection to Postgres',
    remedy: 'Look for slow statements in Postgres first; then raise `DATABASE_POOL_SIZE` of the service, with an eye on `max_connections`.',
  },
  {
    name: 'ContinuoEventLoopLate',
    expr: 'max by (service) (nodejs_eventloop_lag_p99_seconds{%}) > 0.5',
    lasting: '10m',
    severity: 'warning',
    summary: 'Everything in {{ $labels.service }} waits half a second for its turn',
    remedy: 'The process has more to do than a core can: add copies, or give it more processor where it is throttled.',
  },
  {
    name: 'ContinuoSearchFallsBack',
    expr: 'sum by (index) (rate(continuo_search_index_misses_total{%}[10m])) > 0.1',
    lasting: '15m',
    severity: 'warning',
    summary: 'The search index {{ $labels.index }} does not answer',
    remedy:
      'The next one answers in its place: nothing is lost but forgiveness for typing mistakes. Is Meilisearch running? `continuo search status` tells how far each index is.',
  },
  {
    name: 'ContinuoPlacesFail',
    expr: 'sum(rate(continuo_outbound_requests_total{%, purpose="places", outcome!~"2xx|3xx"}[10m])) / sum(rate(continuo_outbound_requests_total{%, purpose="places"}[10m])) > 0.5',
    lasting: '15m',
    severity: 'warning',
    summary: 'Storage or servers elsewhere that hold media do not answer',
    remedy:
      'The log names the place and what it answered. Songs there cannot be played meanwhile and stay in the library; nothing is removed because a place is away.',
  },
  {
    name: 'ContinuoNatsUnstable',
    expr: 'sum by (service) (increase(continuo_nats_reconnects_total{%}[1h])) > 5',
    severity: 'warning',
    summary: '{{ $labels.service }} loses its connection to NATS again and again',
    remedy:
      'Look at the NATS servers (restarts, memory, disk) and at the network between them. Each loss costs the requests of a moment, which are tried again.',
  },
  {
    name: 'ContinuoConflicts',
    expr: 'sum by (aggregate) (rate(continuo_append_conflicts_total{%}[10m])) > 5',
    lasting: '15m',
    severity: 'warning',
    summary: 'Many writers change the same {{ $labels.aggregate }} at once',
    remedy:
      'They decide anew each time, which costs time and no data. A client that sends the same change many times a second is the usual cause.',
  },
  {
    name: 'ContinuoRelayWaits',
    expr: 'sum by (to) (continuo_relay_waiting_plays{%}) > 1000',
    lasting: '6h',
    severity: 'warning',
    summary: 'Plays wait to be told to {{ $labels.to }}',
    remedy:
      'Is the service away, or does it refuse? `continuo relay list` tells by account. Nothing is lost: plays are told when it answers again.',
  },
];
