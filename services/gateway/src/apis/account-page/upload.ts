import { Rejection } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import type { RequestParams } from '../../auth/index.js';
import { fieldText, formParts } from '../../server/requests/multipart.js';
import { paramsOfPairs } from '../../server/requests/parameters.js';

const MAX_FIELDS = 8;
const MAX_FIELD_BYTES = 4096;

/** Fields and file of an upload form. */
export interface Upload {
  readonly form: RequestParams;
  /** Empty without a file. */
  readonly file: Buffer;
}

/**
 * Reads a multipart form with one file into memory.
 * @throws Rejection `input.too-large`, `input.invalid` when it is not such a form
 */
export const readUpload = async (request: FastifyRequest, maxBytes: number): Promise<Upload> => {
  if (!request.isMultipart()) throw new Rejection('input.invalid', 'This is no upload.');
  const pairs: [string, string][] = [];
  let file: Buffer = Buffer.alloc(0);
  const limits = { files: 1, fields: MAX_FIELDS, parts: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, fileSize: maxBytes };
  for await (const part of formParts(request, { limits })) {
    if (part.type === 'file') file = await part.toBuffer();
    else pairs.push([part.fieldname, fieldText(part)]);
  }
  return { form: paramsOfPairs(pairs), file };
};
