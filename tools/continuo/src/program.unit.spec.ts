import { Rejection } from '@continuo/contracts';
import { InvalidArgumentError } from 'commander';
import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { describe, expect, it } from 'vitest';
import { CliError } from './connect/cli-error.js';
import { describeFinding, fault, ok } from './doctor/finding.js';
import { streamFaults } from './doctor/nats.check.js';
import { judgeProjection } from './doctor/projections.check.js';
import { explainError } from './explain.js';
import { processTerminal } from './output/terminal.js';
import { continuoProgram } from './program.js';
import { judge } from './projections/status.js';
import { levelName, parseLevel } from './user/levels.js';

describe('continuo', () => {
  it('has the commands that the documentation names', () => {
    const program = continuoProgram({ terminal: processTerminal, env: {}, fail: () => undefined });
    const names = program.commands.flatMap((command) => [
      command.name(),
      ...command.commands.map((sub) => `${command.name()} ${sub.name()}`),
    ]);
    expect(names.toSorted()).toEqual(
      [
        'access',
        'access add',
        'access disable',
        'access enable',
        'access list',
        'access remove',
        'backup',
        'backup deletions',
        'backup verify',
        'catalog',
        'catalog add',
        'catalog group',
        'catalog list',
        'catalog move',
        'catalog set',
        'catalog sort',
        'dead-letters',
        'dead-letters list',
        'dead-letters replay',
        'doctor',
        'genres',
        'genres hide',
        'genres list',
        'genres merge',
        'genres show',
        'genres unmerge',
        'playlist',
        'playlist export',
        'playlist files',
        'playlist import',
        'playlist list',
        'playlist missing',
        'prepare',
        'projections',
        'projections rebuild',
        'projections status',
        'rating',
        'rating import',
        'restore',
        'scan',
        'scan cancel',
        'search',
        'search rebuild',
        'search status',
        'secrets',
        'secrets rotate',
        'secrets status',
        'shout',
        'shout add',
        'shout list',
        'smartlist',
        'smartlist create',
        'smartlist delete',
        'smartlist import',
        'smartlist list',
        'smartlist show',
        'shout remove',
        'song',
        'song write-tags',
        'user',
        'user add',
        'user avatar',
        'user delete',
        'user disable',
        'user enable',
        'user group',
        'user key',
        'user keys',
        'user level',
        'user list',
        'user password',
        'user revoke-key',
        'user stream-token',
        'relay',
        'relay dead-letters',
        'relay hurry',
        'relay link',
        'relay list',
        'relay plays',
        'relay replay',
        'relay unlink',
        'sonic',
        'sonic analyse',
        'sonic cancel',
        'sonic status',
        'transcode',
        'transcode cancel',
        'transcode list',
        'transcode make',
        'transcode show',
        'webhook',
        'webhook add',
        'webhook deliveries',
        'webhook disable',
        'webhook enable',
        'webhook events',
        'webhook list',
        'webhook remove',
        'webhook replay',
        'webhook test',
      ].toSorted(),
    );
  });
});

describe('levels', () => {
  it('are read by name or number', () => expect([parseLevel('admin'), parseLevel('Catalog'), parseLevel('5')]).toEqual([100, 75, 5]));
  it('are named', () => expect([levelName(50), levelName(33)]).toEqual(['content', '33']));
  it('are listed when one is unknown', () => expect(() => parseLevel('root')).toThrow(InvalidArgumentError));
});

describe('explainError', () => {
  it('gives message and remedy, never a stack, for what a person can put right', () => {
    expect(explainError(new CliError('no server', 'start it'))).toEqual(['Error: no server.', 'Remedy: start it.']);
    expect(explainError(new Rejection('user.name-taken', undefined, 'ada'))).toEqual([
      'Refused: the user name is taken (ada) [user.name-taken].',
    ]);
    expect(explainError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))[0]).toBe('Error: the database does not answer.');
  });

  it('shows the stack of what nobody expected', () => expect(explainError(new TypeError('oops'))[0]).toContain('TypeError: oops'));
});

describe('projection states', () => {
  const row = { name: 'p', version: 1, generation: 1, state: 'live', stream: 'EV_LIBRARY', epoch: 'e', position: 7 } as const;

  it('tell the lag', () => {
    expect(judge(row, { epoch: 'e', lastPosition: 10 })).toMatchObject({ lagEvents: 3, fault: null });
    expect(judgeProjection(judge(row, { epoch: 'e', lastPosition: 10 })).status).toBe('ok');
    expect(judgeProjection(judge(row, { epoch: 'e', lastPosition: 1_000_000 })).status).toBe('warning');
  });

  it('tell what stands still, and what does not catch up, from two looks', () => {
    const at = (position: number, lastPosition: number) => judge({ ...row, position }, { epoch: 'e', lastPosition });
    expect(judgeProjection(at(7, 12), at(7, 10))).toMatchObject({ status: 'fault', detail: expect.stringContaining('stands still') });
    expect(judgeProjection(at(9, 12), at(7, 10)).status).toBe('ok');
    expect(judgeProjection(at(7, 12), at(7, 7)).status).toBe('ok');
    expect(judgeProjection(at(10, 10), at(7, 10)).status).toBe('ok');
    expect(judgeProjection(at(1000, 20_000), at(0, 10_000))).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('does not catch up'),
    });
    expect(judgeProjection(at(5000, 11_000), at(0, 10_000)).detail).not.toContain('does not catch up');
    const building = { ...row, state: 'building' } as const;
    const built = (position: number) => judge({ ...building, position }, { epoch: 'e', lastPosition: 100 });
    expect(judgeProjection(built(7), built(7)).status).toBe('fault');
    expect(judgeProjection(built(50), built(7)).status).toBe('ok');
  });

  it('tell tables that do not belong to the log', () => {
    expect(judge(row, { epoch: 'other', lastPosition: 10 }).fault).toBe('belongs to another life of the log');
    expect(judge(row, { epoch: 'e', lastPosition: 5 })).toMatchObject({ lagEvents: 0, fault: 'position lies beyond the end of the log' });
    expect(judgeProjection(judge(row, undefined))).toMatchObject({ status: 'fault', detail: 'EV_LIBRARY is missing' });
  });
});

describe('doctor', () => {
  const good = {
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: 0,
    max_msgs: -1,
    max_bytes: -1,
    allow_direct: true,
    allow_atomic: true,
    metadata: { 'continuo-epoch': 'e' },
  } as unknown as StreamConfig;

  it('knows the settings of a safe stream', () => {
    expect(streamFaults(good)).toEqual([]);
    expect(streamFaults({ ...good, storage: StorageType.Memory, max_age: 5 })).toEqual([
      'is not kept on disk',
      'is limited in age or size',
    ]);
  });

  it('prints a remedy under each fault', () => {
    expect(describeFinding(ok('NATS', 'answers'))).toEqual(['[ ok ] NATS: answers']);
    expect(describeFinding(fault('NATS', 'silent', 'start it'))).toEqual(['[FAIL] NATS: silent', '       → start it']);
  });
});
