import { transcodeTarget } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { transcodeParams } from './transcode-params.js';

const clock = { ms: Date.UTC(2024, 5, 1) };
const tokens = transcodeParams('a secret of enough characters', () => clock.ms);
const target = transcodeTarget.parse({ format: 'mp3', bitrateKbps: 128 });
const theirs = { mediaId: 'so-1', userId: 1 };

describe('tokens of transcodes', () => {
  it('open what they were made for, for two days', () => {
    const token = tokens.sign({ ...theirs, target });
    expect(encodeURIComponent(token)).toBe(token);
    expect(tokens.check(token, theirs)).toEqual(target);
    clock.ms += 47 * 3_600_000;
    expect(tokens.check(token, theirs)).toEqual(target);
    clock.ms += 3_600_000;
    expect(tokens.check(token, theirs)).toBeUndefined();
  });
  it('open nothing else, for nobody else, and nothing when they were changed or made elsewhere', () => {
    const token = tokens.sign({ ...theirs, target });
    const [body = '', mark = ''] = token.split('.');
    const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace('128', '320')).toString('base64url');
    expect(tokens.check(token, { ...theirs, mediaId: 'so-2' })).toBeUndefined();
    expect(tokens.check(token, { ...theirs, userId: 2 })).toBeUndefined();
    expect(transcodeParams('another secret of many characters', () => clock.ms).check(token, theirs)).toBeUndefined();
    for (const text of ['', '.', `${forged}.${mark}`, body, `.${mark}`, `${body}.${mark.replace(/./, 'g')}`, `${token}x`])
      expect(tokens.check(text, theirs)).toBeUndefined();
  });
});
