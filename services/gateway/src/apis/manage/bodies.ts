import { Rejection } from '@continuo/contracts';
import type { FastifyInstance } from 'fastify';
import { boundJson } from '../../server/requests/request-bounds.js';
import { ManageProblem } from './problems.js';

/** @throws Rejection `input.invalid` for what is no JSON, and for the NUL character, which no table takes; `input.too-large` */
const parseBody = (text: string): unknown => {
  if (text === '') return undefined;
  boundJson(text);
  if (text.includes('\\u0000')) throw new Rejection('input.invalid', 'the body holds a NUL character');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Rejection('input.invalid', 'the body is not JSON', undefined, { cause: error });
  }
};

/** Lets the routes of a scope take JSON bodies and refuse all others. */
export const readJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/json(?:\s*;|$)/i, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseBody(String(body)));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(new ManageProblem('body.unsupported', 'The body has to be application/json'));
  });
};
