import { contextFrom, inWork, traceparentOf, type Metrics } from '@continuo/chassis';
import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram } from 'prom-client';
import { observe, observedOf, type ObservedRequest, type Outcome } from './observed-request.js';
import { isTraceparent } from './request-context.js';
import { routeName } from './route-names.js';

/** Dependencies of the request metrics. */
export interface RequestTools {
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Absent while tracing is off. */
  readonly tracer?: Tracer | undefined;
  /** Whether the other end of the connection is believed what it says of whom it speaks for: only then its traces are gone on with. */
  readonly isTrusted: (peerAddress: string) => boolean;
}

const DOCUMENT_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const FIRST_BYTE_BUCKETS = [0.005, 0.025, 0.05, 0.1, 0.3, 0.5, 1, 2.5, 5, 10];
/** Up to a long film. */
const STREAM_BUCKETS = [0.1, 1, 5, 30, 120, 300, 900, 3600, 14_400];

/** Answers that are read as a whole; everything else is media, which takes as long as somebody listens. */
const DOCUMENT = /^(?:application\/(?:json|javascript|xml)|text\/(?!event-stream|vtt)|$)/i;

const createInstruments = (registers: [Metrics['registry']]) => {
  const labelNames = ['surface', 'operation'] as const;
  return {
    requests: new Counter({
      name: 'continuo_http_requests_total',
      help: 'Requests by operation and by how they ended: ok, refused (the client is at fault), failed (the server is), aborted (the client went away)',
      labelNames: [...labelNames, 'outcome'],
      registers,
    }),
    statuses: new Counter({
      name: 'continuo_http_responses_total',
      help: 'Answers by surface and HTTP status; the APIs tell most of their refusals with status 200',
      labelNames: ['surface', 'status'],
      registers,
    }),
    seconds: new Histogram({
      name: 'continuo_http_request_seconds',
      help: 'Time from a request to the end of its answer, seconds; media are told of on their own',
      labelNames,
      buckets: DOCUMENT_BUCKETS,
      registers,
    }),
    firstByteSeconds: new Histogram({
      name: 'continuo_http_first_byte_seconds',
      help: 'Time from a request for media to the first byte of them, seconds',
      labelNames,
      buckets: FIRST_BYTE_BUCKETS,
      registers,
    }),
    streamSeconds: new Histogram({
      name: 'continuo_http_stream_seconds',
      help: 'Time from a request for media to their end, seconds',
      labelNames,
      buckets: STREAM_BUCKETS,
      registers,
    }),
    sentBytes: new Counter({
      name: 'continuo_http_sent_bytes_total',
      help: 'Bytes of media sent, as far as they went',
      labelNames,
      registers,
    }),
    inFlight: new Gauge({
      name: 'continuo_http_requests_in_flight',
      help: 'Requests that are being answered',
      registers,
    }),
    dialects: new Counter({
      name: 'continuo_native_calls_total',
      help: 'Calls of the native API by the version and the format in which they were answered',
      labelNames: ['version', 'format'],
      registers,
    }),
  };
};

type Instruments = ReturnType<typeof createInstruments>;

const outcomeOfStatus = (status: number): Outcome => (status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok');

const record = (instruments: Instruments, request: FastifyRequest, reply: FastifyReply, isComplete: boolean): void => {
  const about = observedOf(request);
  if (!about) return;
  const { surface, operation, startedMs, dialect } = about;
  const labels = { surface, operation };
  const seconds = (performance.now() - startedMs) / 1000;
  const outcome = isComplete ? (about.outcome ?? outcomeOfStatus(reply.statusCode)) : 'aborted';
  instruments.requests.inc({ ...labels, outcome });
  if (isComplete) instruments.statuses.inc({ surface, status: String(reply.statusCode) });
  if (dialect) instruments.dialects.inc(dialect);
  if (DOCUMENT.test(String(reply.getHeader('content-type') ?? ''))) instruments.seconds.observe(labels, seconds);
  else {
    instruments.streamSeconds.observe(labels, seconds);
    if (about.firstByteMs !== undefined) instruments.firstByteSeconds.observe(labels, (about.firstByteMs - startedMs) / 1000);
    instruments.sentBytes.inc(labels, about.sentBytes ?? 0);
  }
  endSpan(about, reply, outcome);
};

const endSpan = ({ span, surface, operation }: ObservedRequest, reply: FastifyReply, outcome: Outcome): void => {
  if (!span) return;
  span.updateName(`${surface} ${operation}`);
  span.setAttributes({ 'http.response.status_code': reply.statusCode, 'continuo.outcome': outcome });
  if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

/** Counts what of an answer is sent. The reading of sockets would count what other answers of the connection weigh, and what only waits in a buffer. */
const watchBody = (about: ObservedRequest, { raw }: FastifyReply): void => {
  const write = raw.write.bind(raw) as (...args: unknown[]) => boolean;
  const end = raw.end.bind(raw) as (...args: unknown[]) => typeof raw;
  const count = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    about.firstByteMs ??= performance.now();
    about.sentBytes = (about.sentBytes ?? 0) + (typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength);
  };
  raw.write = (...args: unknown[]): boolean => {
    count(args[0]);
    return write(...args);
  };
  raw.end = (...args: unknown[]): typeof raw => {
    count(args[0]);
    return end(...args);
  };
};

const beginSpan = (about: ObservedRequest, request: FastifyRequest, { tracer, isTrusted }: RequestTools): void => {
  const { traceparent } = request.headers;
  // Anybody else could have everything traced, and say of what it is a part.
  const parent = isTraceparent(traceparent) && isTrusted(request.socket.remoteAddress ?? '') ? traceparent : undefined;
  if (parent) about.traceparent = parent;
  if (!tracer || about.surface === 'status') return;
  const attributes = {
    'http.request.method': request.method,
    'http.route': request.routeOptions.url ?? '',
    'continuo.correlation_id': request.id,
  };
  about.span = tracer.startSpan(`${about.surface} ${about.operation}`, { kind: SpanKind.SERVER, attributes }, contextFrom(parent));
  const own = traceparentOf(about.span.spanContext());
  if (own) about.traceparent = own;
};

/** Measures every request by operation, which is a fixed set, never by address, and puts it into a span while tracing is on. */
export const countRequests = (app: FastifyInstance, tools: RequestTools): void => {
  const instruments = createInstruments([tools.metrics.registry]);
  app.addHook('onRequest', (request, reply, done) => {
    const about: ObservedRequest = { ...routeName(request.routeOptions.url), startedMs: performance.now() };
    observe(request, about);
    beginSpan(about, request, tools);
    watchBody(about, reply);
    instruments.inFlight.inc();
    let isOver = false;
    const end = (isComplete: boolean): void => {
      if (isOver) return;
      isOver = true;
      instruments.inFlight.dec();
      record(instruments, request, reply, isComplete);
    };
    reply.raw.once('finish', () => end(true));
    reply.raw.once('close', () => end(reply.raw.writableFinished));
    done();
  });
  // From here on everything that is said and asked elsewhere belongs to this request.
  app.addHook('preHandler', (request, _reply, done) => {
    inWork({ correlationId: request.id, traceparent: observedOf(request)?.traceparent, tracer: tools.tracer }, done);
  });
};
