import type { Answer } from '../wire/send.js';
import type { Step } from '../wire/step.js';

const PAGE_POLICY = [/default-src 'none'/, /frame-ancestors 'none'/, /base-uri 'none'/];

/** Fault in headers that every answer must have. */
export const faultOfHeads = (step: Step, { status, headers }: Answer): string | undefined => {
  const type = headers['content-type'] ?? '';
  if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff';
  if (headers['x-powered-by'] !== undefined || headers.server !== undefined) return 'it names its program';
  if (typeof headers['x-correlation-id'] !== 'string') return 'no correlation id';
  if (step.surface !== 'account-page' && headers['set-cookie'] !== undefined) return 'a cookie';
  if (type.startsWith('text/html')) {
    const policy = String(headers['content-security-policy'] ?? '');
    if (policy.includes('unsafe-') || PAGE_POLICY.some((part) => !part.test(policy))) return `a page with the policy "${policy}"`;
  }
  if (/svg/.test(type)) return 'a picture that can run';
  return status === 0 ? 'no status' : undefined;
};
