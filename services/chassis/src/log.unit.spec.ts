import { describe, expect, it } from 'vitest';
import { createLogger } from './log.js';
import { inWork } from './telemetry/current-work.js';

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

  it('removes credentials from addresses, wherever they stand', () => {
    const { log, lines } = capture();
    const secret = 'hush-hush';
    const addresses = [
      `https://music.example/server/json.server.php?action=ping&auth=${secret}`,
      `/rest/stream?u=${secret}&p=enc:${secret}&id=1`,
      `/rest/stream.view?t=${secret}&s=${secret}&apiKey=${secret}`,
      `/rest/x?APIKEY=${secret}&api_key=${secret};token=${secret}`,
      `/play/ssid/${secret}/oid/7`,
      `/rest/hls/${secret}/0.ts`,
      `https://${secret}:${secret}@feeds.example/rss`,
      `nats://user:${secret}@nats:4222`,
      `https://b.s3.example/key?X-Amz-Credential=${secret}&X-Amz-Signature=${secret}`,
      `/register.php?auth=${secret}`,
      `/share.php?id=3&secret=${secret}#x`,
    ];
    for (const url of addresses) {
      log.info({ url }, 'as a field');
      log.info({ deep: { deeper: { deepest: { url } } } }, 'deep down');
      log.warn({ err: new Error(`cannot reach ${url}`) }, 'in an error');
      log.info(`in the middle of ${url} a message`);
      log.child({ url }).info('bound');
    }
    expect(lines).toHaveLength(addresses.length * 5);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(lines[0]).toContain('action=ping&auth=[removed]');
    expect(lines.join('')).toContain('oid/7');
  });

  it('leaves addresses without credentials, and texts, as they are', () => {
    const { log, lines } = capture();
    const texts = ['https://feeds.example/rss?id=7&page=2', 'what? nothing', 'a@b.example', 'what=u, that is: s=1', 'C:\\music\\a.flac'];
    for (const text of texts) log.info({ text }, 'plain');
    expect(lines.map((line) => (JSON.parse(line) as { text: string }).text)).toEqual(texts);
  });
});

describe('the work at hand', () => {
  const work = { correlationId: 'c-7', actor: 'user:3' };

  it('is in every line that is written for it, also after waiting, and in no other', async () => {
    const { log, lines } = capture();
    const told = (): (string | undefined)[] =>
      lines.splice(0).map((line) => (JSON.parse(line) as { correlationId?: string }).correlationId);
    await inWork(work, async () => {
      log.info('at once');
      await new Promise((resolve) => setImmediate(resolve));
      log.child({ part: 'x' }).info('later');
    });
    log.info('outside');
    expect(told()).toEqual(['c-7', 'c-7', undefined]);
  });

  it('gives way to what a line or its logger says itself', () => {
    const { log, lines } = capture();
    inWork(work, () => {
      log.info({ correlationId: 'own' }, 'own');
      log.child({ correlationId: 'bound' }).info('bound');
    });
    expect(lines.map((line) => line.match(/"correlationId":"[^"]*"/g))).toEqual([['"correlationId":"own"'], ['"correlationId":"bound"']]);
  });
});
