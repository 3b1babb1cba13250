import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Fault that the proxy applies to one request. */
export type Fault =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** The connection breaks after so many bytes of the body. */
  | { readonly cutAfterBytes: number }
  /** Nothing more comes after so many bytes. */
  | { readonly stallAfterBytes: number };

/** A proxy in front of a server, which does what specs want to be prepared for. */
export interface FaultyProxy {
  readonly url: string;
  /** Paths with their queries, in order. */
  readonly requests: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** Bytes of bodies that were passed on. */
  readonly passedBytes: () => number;
  /** Asked for each request; undefined passes it on. */
  fault: (request: IncomingMessage, index: number) => Fault | undefined;
  readonly reset: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy before `target`, an address such as `http://127.0.0.1:9000`. The `host` header stays as it is, since it may be signed. */
export const startFaultyProxy = async (target: string): Promise<FaultyProxy> => {
  const { hostname, port } = new URL(target);
  let passed = 0;
  const pass = (from: IncomingMessage, to: ServerResponse, fault: Fault | undefined): void => {
    const inner = ask({ hostname, port, path: from.url, method: from.method, headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      let sent = 0;
      answer.on('data', (piece: Buffer) => {
        const limit =
          fault && 'cutAfterBytes' in fault ? fault.cutAfterBytes : fault && 'stallAfterBytes' in fault ? fault.stallAfterBytes : Infinity;
        const part = piece.subarray(0, Math.max(0, limit - sent));
        sent += part.length;
        passed += part.length;
        to.write(part);
        if (sent < limit || !fault) return;
        answer.destroy();
        // What was written has to reach the other side before the connection goes.
        if ('cutAfterBytes' in fault) setTimeout(() => to.destroy(), 20);
      });
      answer.on('end', () => to.end());
      answer.on('error', () => undefined);
    });
    inner.on('error', () => to.destroy());
    from.pipe(inner);
  };
  const server = createServer((from, to) => {
    const { method = '', url = '', headers } = from;
    const index = proxy.requests.push({ method, url, headers }) - 1;
    const fault = proxy.fault(from, index);
    if (fault && 'status' in fault) to.writeHead(fault.status, { ...fault.headers }).end(fault.body ?? '');
    else pass(from, to, fault);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    passedBytes: () => passed,
    fault: () => undefined,
    reset: () => {
      proxy.requests.length = 0;
      passed = 0;
      proxy.fault = () => undefined;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
};
