import { describe, expect, it } from 'vitest';
import { claimPlayback } from './media-session.js';

describe('audio session', () => {
  it('is that of a player where the browser has one', () => {
    const browser = { audioSession: { type: 'auto' } };
    claimPlayback(browser);
    expect(browser.audioSession.type).toBe('playback');
  });

  it('is left alone where the browser has none', () => {
    expect(() => claimPlayback({})).not.toThrow();
  });
});
