import { describe, expect, it } from 'vitest';
import { assertExactlyOneHandler, publishedSubjects } from './declared-subjects.js';

const command = (subject: string) => ({ kind: 'command' as const, subject });

describe('the subjects that a service declares', () => {
  it('are those that the contracts publish for its contexts', () => {
    const playback = publishedSubjects(['playback']);
    expect(playback.commands).toContain('cmd.playback.record-plays');
    expect(playback.commands.filter((subject) => !subject.startsWith('cmd.playback.'))).toEqual([]);
    expect(playback.jobs).toEqual([]);
    expect(publishedSubjects(['ingest'], ['ingest']).jobs).toEqual(['jobs.ingest.scan-catalog', 'jobs.ingest.download-episode']);
  });

  it('need exactly one handler each', () => {
    const declared = { commands: ['cmd.a.one', 'cmd.a.two'], jobs: [] };
    expect(() => assertExactlyOneHandler(declared, [command('cmd.a.one'), command('cmd.a.two')])).not.toThrow();
    expect(() => assertExactlyOneHandler(declared, [command('cmd.a.one'), command('cmd.a.one'), command('cmd.b.three')])).toThrow(
      'The service cannot start: cmd.a.two has no handler; cmd.a.one has more than one handler; cmd.b.three has a handler but is not declared by this service.',
    );
  });

  it('leave out reactors, of which each name may be there once', () => {
    const declared = { commands: [], jobs: [] };
    const reactor = { kind: 'event' as const, subject: 'react.a-one' };
    expect(() => assertExactlyOneHandler(declared, [reactor])).not.toThrow();
    expect(() => assertExactlyOneHandler(declared, [reactor, reactor])).toThrow(/react\.a-one has more than one handler/);
  });
});
