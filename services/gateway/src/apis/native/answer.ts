import type { FastifyReply, FastifyRequest } from 'fastify';
import { streamDocument, type DocumentStreams } from '../../server/stream-document.js';
import { gatherParts, isLong, jsonParts, renderedList, xmlParts, type Node, type Part } from '../../render/index.js';
import { statusByCode } from './errors/native-errors.js';
import type { NativeFault } from './errors/fault.js';
import { NATIVE_XML, type NativeResult, type Rendering } from './result.js';
import type { Format, VersionPolicy } from './versions/policy.js';

const contentTypes: Readonly<Record<Format, string>> = { json: 'application/json; charset=UTF-8', xml: 'text/xml; charset=UTF-8' };

/** Root element of every XML document of the native API. */
const ROOT = 'root';

/** Wraps a result in the envelope of its version. */
export const documentOf = (result: Exclude<NativeResult, { kind: 'bytes' }>, rendering: Rendering, policy: VersionPolicy): Node => {
  const { format } = rendering;
  switch (result.kind) {
    case 'list': {
      const { name, counted, list, items } = result;
      const rendered = renderedList(items.render(rendering), items.isLong);
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

const partsOf = (document: Node, format: Format): Part[] =>
  format === 'json' ? jsonParts(document) : xmlParts(ROOT, document, NATIVE_XML);

const withHeaders = (reply: FastifyReply, format: Format): FastifyReply =>
  reply.type(contentTypes[format]).header('cache-control', 'private, no-cache');

/** Sends a document; a long list is read while it is written, in a slot for long answers. */
export const sendDocument = async (
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  document: Node,
  how: { readonly format: Format; readonly long: DocumentStreams },
): Promise<FastifyReply> => {
  const { request, reply } = exchange;
  const parts = partsOf(document, how.format);
  // The length is unknown before a long list is written.
  const longBody = async () => (request.method === 'HEAD' ? undefined : streamDocument(parts, how.long));
  const body = isLong(parts) ? await longBody() : await gatherParts(parts);
  return withHeaders(reply, how.format).send(body);
};

/** Version, format and status of an error answer. */
export interface FaultContext {
  readonly reply: FastifyReply;
  readonly policy: VersionPolicy;
  readonly format: Format;
  readonly action: string;
  /** True when the HTTP status also tells the error: always for media, else by configuration. */
  readonly withStatus: boolean;
  /** Replaces the status of the error code. */
  readonly status?: number;
}

/** Sends an error in the version's envelope. */
export const sendFault = async (
  fault: NativeFault,
  { reply, policy, format, action, withStatus, status }: FaultContext,
): Promise<FastifyReply> => {
  reply.code(withStatus ? (status ?? statusByCode[fault.code] ?? 500) : 200);
  return withHeaders(reply, format).send(await gatherParts(partsOf(policy.error(fault, action, format), format)));
};
