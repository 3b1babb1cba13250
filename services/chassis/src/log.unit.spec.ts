import { describe, expect, it } from 'vitest';
import { createLogger } from './log.js';

const capture = () => {
  const lines: string[] = [];
  return { log: createLogger('spec', 'debug', { write: (line: string) => void lines.push(line) }), lines };
};

describe('the log', () => {
  it('writes one JSON line per fact with the service, the level and the time', () => {
    const { log, lines } = capture();
    log.child({ correlationId: 'c-1', actor: 'user:7' }).info({ songs: 3 }, 'scan finished');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      service: 'spec',
      correlationId: 'c-1',
      actor: 'user:7',
      songs: 3,
      msg: 'scan finished',
    });
  });

  it('removes secrets at the top and below, whatever they are called', () => {
    const { log, lines } = capture();
    const secret = 'hush-hush';
    const secrets = {
      password: secret,
      token: secret,
      apiKey: secret,
      auth: secret,
      ssid: secret,
      u: secret,
      p: secret,
      t: secret,
      s: secret,
    };
    log.info(secrets, 'top');
    log.info({ query: secrets, request: { query: secrets } }, 'below');
    log.info({ headers: { authorization: secret, Authorization: secret, cookie: secret, 'x-api-key': secret } }, 'headers');
    log.child(secrets).info('bound');
    expect(lines).toHaveLength(4);
    expect(lines.join('')).not.toContain(secret);
  });

  it('keeps what is not secret', () => {
    const { log, lines } = capture();
    log.info({ title: 'Songs', path: '/music/a.flac' }, 'kept');
    expect(lines[0]).toContain('/music/a.flac');
  });
});
