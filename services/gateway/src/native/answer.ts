import type { FastifyReply, FastifyRequest } from 'fastify';
import { gatherParts, jsonParts, renderedList, streamParts, xmlParts, type Node } from '../render/index.js';
import { statusByCode } from './errors/native-errors.js';
import type { NativeFault } from './errors/native-fault.js';
import { NATIVE_XML, type NativeResult, type Rendering } from './result.js';
import type { Format, VersionPolicy } from './versions/policy.js';

const contentTypes: Readonly<Record<Format, string>> = { json: 'application/json; charset=UTF-8', xml: 'text/xml; charset=UTF-8' };

/** The root of every XML document of the native API. */
const ROOT = 'root';

/** Wraps a result as a version does. */
export const documentOf = (result: Exclude<NativeResult, { kind: 'bytes' }>, rendering: Rendering, policy: VersionPolicy): Node => {
  const { format } = rendering;
  switch (result.kind) {
    case 'list': {
      const { name, counted, list, items } = result;
      const rendered = renderedList(items.render(rendering));
      return policy.list({ name, counted, total: list.total, md5: () => list.md5, items: rendered, isEmpty: items.isEmpty }, format);
    }
    case 'object':
      return policy.object({ name: result.name, counted: result.counted, md5: result.md5, node: result.build(rendering) }, format);
    case 'fields':
      return result.build(rendering);
    case 'success':
      return policy.success(result.message, result.extra ?? [], format);
  }
};

/** Sends a document: whole, or while it is written when it holds a long list. */
export const sendDocument = async (
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  document: Node,
  how: { readonly format: Format; readonly isLong?: boolean },
): Promise<FastifyReply> => {
  const { request, reply } = exchange;
  const parts = how.format === 'json' ? jsonParts(document) : xmlParts(ROOT, document, NATIVE_XML);
  // The length of a long list is not known before it is written.
  const body = !how.isLong ? await gatherParts(parts) : request.method === 'HEAD' ? undefined : streamParts(parts);
  reply.type(contentTypes[how.format]).header('cache-control', 'private, no-cache');
  return reply.send(body);
};

/** How an error is told: where, in which version and format, and with which status. */
export interface FaultContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly policy: VersionPolicy;
  readonly format: Format;
  readonly action: string;
  /** True when the HTTP status tells the error too: for bytes always, else by configuration (choices.md row 1). */
  readonly withStatus: boolean;
  /** Such a status in the place of the code's own. */
  readonly status?: number;
}

/** Sends an error in the version's envelope. */
export const sendFault = (
  fault: NativeFault,
  { request, reply, policy, format, action, withStatus, status }: FaultContext,
): Promise<FastifyReply> => {
  reply.code(withStatus ? (status ?? statusByCode[fault.code] ?? 500) : 200);
  return sendDocument({ request, reply }, policy.error(fault, action, format), { format });
};
