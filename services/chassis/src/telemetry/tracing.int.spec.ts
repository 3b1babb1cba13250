import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { inSpan, noTelemetry, startTelemetry } from './tracing.js';

const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('tracing', () => {
  it('hands the trace context on unchanged while it is off', async () => {
    const spec = { name: 'work', kind: SpanKind.SERVER, traceparent: parent };
    await expect(inSpan(noTelemetry.tracer, spec, (traceparent) => Promise.resolve(traceparent))).resolves.toBe(parent);
    await expect(
      inSpan(noTelemetry.tracer, { ...spec, traceparent: undefined }, (traceparent) => Promise.resolve(traceparent)),
    ).resolves.toBeUndefined();
  });

  it('sends spans to the collector with their parent, and gives the work the context of its own span', async () => {
    const received: string[] = [];
    const collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push(`${request.url} ${Buffer.concat(chunks).toString('utf8')}`);
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const telemetry = await startTelemetry('spec', { endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` });
    const spec = { name: 'cmd.library.greet', kind: SpanKind.SERVER, traceparent: parent };
    const own = await inSpan(telemetry.tracer, spec, (traceparent) => Promise.resolve(traceparent));
    await expect(inSpan(telemetry.tracer, spec, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await telemetry.stop();
    collector.close();
    expect(own).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    expect(own).not.toBe(parent);
    expect(received[0]).toMatch(/^\/v1\/traces /);
    expect(received[0]).toContain('continuo-spec');
    expect(received[0]).toContain('cmd.library.greet');
  });
});
