import { compatTable, errorNumbers } from '@continuo/gateway/tables';
import { XmlDocument, XmlElement } from 'libxml2-wasm';
import { manageOperations } from '../generate/manage-document.js';
import type { Answer } from '../wire/send.js';
import type { Step } from '../wire/step.js';

/** Outcome of an answer, read from the envelope of its surface. */
export interface Reading {
  /** Outcome for counting: `ok`, the number of an error, or the kind of bytes. */
  readonly outcome: string;
  /** Fault of the answer itself. */
  readonly fault?: string;
}

const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : undefined;

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

interface NativeError {
  readonly number: number | undefined;
  readonly message: string;
}

const nativeErrorInJson = (document: unknown): NativeError | undefined => {
  if (!isRecord(document) || !isRecord(document['error'])) return undefined;
  const { errorCode, code, errorMessage, message } = document['error'];
  return { number: asNumber(errorCode ?? code), message: asText(errorMessage ?? message) };
};

const childOf = (element: XmlElement, name: string): XmlElement | undefined => {
  for (let node = element.firstChild; node; node = node.next) if (node instanceof XmlElement && node.name === name) return node;
  return undefined;
};

const nativeErrorInXml = (root: XmlElement): NativeError | undefined => {
  const error = childOf(root, 'error');
  const code = error?.attr('errorCode') ?? error?.attr('code');
  return error && code ? { number: Number(code.value), message: error.content } : undefined;
};

/** Numbers of versions 3 and 4. */
const OLD_NUMBERS = new Set([400, 401, 403, 404, 405, 501]);
/** The words of a failure that nobody foresaw. */
const UNFORESEEN = /unexpected failure|internal error/i;

const judgedNative = (error: NativeError | undefined): Reading => {
  if (!error) return { outcome: 'ok' };
  const { number, message } = error;
  const outcome = `error ${number}`;
  if (number === undefined || (!errorNumbers.native.has(number) && !OLD_NUMBERS.has(number)))
    return { outcome, fault: `error number ${number} is not in the table` };
  return UNFORESEEN.test(message) ? { outcome, fault: `an unforeseen failure: ${message}` } : { outcome };
};

const readJson = (text: string): { readonly document: unknown } | { readonly fault: string } => {
  try {
    return { document: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
};

/** Reads XML as strictly as a library does, and hands over its root while the document is there. */
const withXml = (text: string, read: (root: XmlElement) => Reading): Reading => {
  try {
    const document = XmlDocument.fromString(text);
    try {
      return read(document.root);
    } finally {
      document.dispose();
    }
  } catch (error) {
    return { outcome: 'unreadable', fault: `no well-formed XML: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}` };
  }
};

const native = (text: string, type: string): Reading => {
  if (type.startsWith('text/xml')) return withXml(text, (root) => judgedNative(nativeErrorInXml(root)));
  const read = readJson(text);
  return 'fault' in read ? { outcome: 'unreadable', fault: read.fault } : judgedNative(nativeErrorInJson(read.document));
};

const judgedCompat = (status: unknown, code: unknown, message: string): Reading => {
  if (status === 'ok') return { outcome: 'ok' };
  const number = asNumber(code);
  const outcome = `error ${number}`;
  if (status !== 'failed' || number === undefined || !errorNumbers.compat.has(number))
    return { outcome, fault: `status ${String(status)} with error number ${number}` };
  return UNFORESEEN.test(message) ? { outcome, fault: `an unforeseen failure: ${message}` } : { outcome };
};

const compatJson = (text: string): Reading => {
  const read = readJson(text);
  if ('fault' in read) return { outcome: 'unreadable', fault: read.fault };
  const envelope = isRecord(read.document) ? read.document['subsonic-response'] : undefined;
  if (!isRecord(envelope)) return { outcome: 'unreadable', fault: 'no envelope' };
  const error = isRecord(envelope['error']) ? envelope['error'] : {};
  return judgedCompat(envelope['status'], error['code'], asText(error['message']));
};

const compat = (text: string, type: string): Reading => {
  if (type.startsWith('text/javascript')) return compatJson(/^[\w$.]+\((?<json>[\s\S]*)\);$/.exec(text)?.groups?.['json'] ?? text);
  if (type.startsWith('application/json')) return compatJson(text);
  return withXml(text, (root) => {
    if (root.name !== 'subsonic-response') return { outcome: 'unreadable', fault: `the root is ${root.name}` };
    const error = childOf(root, 'error');
    return judgedCompat(root.attr('status')?.value, error?.attr('code')?.value, error?.attr('message')?.value ?? '');
  });
};

const isDocument = (type: string): boolean => /^(?:application\/json|text\/xml|text\/javascript)/.test(type);

const tellsStatus = new Set(compatTable.filter((entry) => entry.tellsStatus).map(({ name }) => name));

const operationsByName = new Map(manageOperations.map((one) => [one.name, one]));

/** A refusal of the management API: a whole RFC 9457 problem, about this request. */
const problem = ({ status, headers, body }: Answer): Reading => {
  const type = headers['content-type'] ?? '';
  const outcome = `problem ${status}`;
  if (!type.startsWith('application/problem+json')) return { outcome, fault: `a refusal of type "${type}"` };
  const read = readJson(body.toString('utf8'));
  if ('fault' in read) return { outcome, ...read };
  const { document } = read;
  if (!isRecord(document) || document['status'] !== status) return { outcome, fault: 'a problem with another status' };
  if (document['correlationId'] !== headers['x-correlation-id']) return { outcome, fault: 'a problem with another correlation id' };
  const [title, detail, code] = [asText(document['title']), asText(document['detail']), asText(document['type'])];
  if (title === '' || detail === '' || !code.startsWith('/docs/problems#')) return { outcome, fault: `half a problem: ${code} ${title}` };
  return status === 500 ? { outcome, fault: `an unforeseen failure: ${detail}` } : { outcome: code.replace('/docs/problems#', '') };
};

const manage = (step: Step, answer: Answer): Reading => {
  const { status, headers, body } = answer;
  const outcome = String(status);
  const isEmpty = step.method === 'HEAD' || [204, 304].includes(status);
  if (isEmpty) return { outcome, ...(body.length > 0 ? { fault: 'a body that must not be' } : {}) };
  if (status >= 400) return problem(answer);
  const operation = operationsByName.get(step.what);
  if (step.method === operation?.method && !operation.statuses.has(status)) return { outcome, fault: `status ${status} is not documented` };
  const type = headers['content-type'] ?? '';
  if (operation?.isBytes && type === 'application/octet-stream') return { outcome };
  if (!type.startsWith('application/json')) return { outcome, fault: `an answer of type "${type}"` };
  const read = readJson(body.toString('utf8'));
  return 'fault' in read ? { outcome, ...read } : { outcome };
};

const pageOutcome = (status: number, text: string, type: string): Reading => {
  const outcome = String(status);
  if (type.startsWith('text/html') && !/<\/html>\s*$/i.test(text)) return { outcome, fault: 'the page does not end' };
  if (type.startsWith('application/json')) {
    const read = readJson(text);
    if ('fault' in read) return { outcome, ...read };
  }
  return { outcome };
};

/** Statuses by surface; what is not here answers with the one of a page. */
const allowedStatus = (step: Step, status: number): boolean => {
  if (status === 204 && step.method === 'OPTIONS') return true;
  if (step.surface === 'native' || step.surface === 'native-rest')
    return step.binary ? [200, 206, 302, 400, 404, 416].includes(status) : status === 200;
  if (step.surface !== 'compat') return status < 500;
  return (
    [200, 429].includes(status) ||
    (step.binary === true && [206, 302, 416].includes(status)) ||
    (tellsStatus.has(step.what) && [400, 401, 404, 500].includes(status))
  );
};

/** Reads an answer in the envelope of the surface that it comes from. */
export const readAnswer = (step: Step, answer: Answer): Reading => {
  if (step.surface === 'manage') return manage(step, answer);
  const { status, headers, body } = answer;
  const type = headers['content-type'] ?? '';
  const isApi = step.surface === 'native' || step.surface === 'native-rest' || step.surface === 'compat' || step.surface === 'upload';
  // An address that cannot be read belongs to no surface.
  if (!isApi && status === 400 && type.startsWith('text/plain') && body.toString() === 'The address cannot be read.\n')
    return { outcome: 'no address' };
  // A machine that is busy with other things: whoever asked is told to come again, which is no fault of the answer. Reports count it.
  if (status === 503 && body.toString() === 'no transcoding worker answers\n') return { outcome: 'no worker' };
  if (!allowedStatus(step, status)) return { outcome: String(status), fault: `status ${status}` };
  if (step.method === 'HEAD' || step.method === 'OPTIONS' || status === 204 || status === 302)
    return { outcome: String(status), ...(body.length > 0 ? { fault: 'a body that must not be' } : {}) };
  const text = body.toString('utf8');
  if (!isApi) return pageOutcome(status, text, type);
  // Other versions, and methods that the API does not have, belong to no surface.
  if (
    (step.surface === 'native-rest' || step.surface === 'upload') &&
    status === 404 &&
    !isDocument(type) &&
    text.startsWith('There is nothing here')
  )
    return { outcome: 'no route' };
  if (!isDocument(type)) {
    // A picture that is not there has no body.
    if (step.binary && (status !== 404 || body.length === 0)) return { outcome: `bytes ${status}` };
    return { outcome: String(status), fault: `an answer of type "${type}"` };
  }
  return step.surface === 'compat' ? compat(text, type) : native(text, type);
};
