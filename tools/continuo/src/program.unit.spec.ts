import { Rejection } from '@continuo/contracts';
import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '@continuo/operations';
import { helpProgram } from './command-list.js';
import { explainError } from './explain.js';
import { processTerminal } from './output/terminal.js';
import { continuoProgram } from './program.js';
import { pointInTime } from './user/key.commands.js';
import { levelName, parseLevel } from './user/levels.js';

describe('continuo', () => {
  it('prints the same list of commands whether they are loaded or not', () => {
    const whole = continuoProgram({ terminal: processTerminal, env: {}, fail: () => undefined });
    expect(helpProgram().helpInformation()).toBe(whole.helpInformation());
  });

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
        'art',
        'art copy',
        'backup',
        'backup delete',
        'backup deletions',
        'backup list',
        'backup verify',
        'catalog',
        'catalog add',
        'catalog group',
        'catalog list',
        'catalog move',
        'catalog remove',
        'catalog set',
        'catalog sort',
        'context',
        'context add',
        'context list',
        'context remove',
        'context use',
        'dead-letters',
        'dead-letters drop',
        'dead-letters list',
        'dead-letters replay',
        'doctor',
        'genres',
        'genres hide',
        'genres list',
        'genres merge',
        'genres show',
        'genres unmerge',
        'log',
        'log accept-loss',
        'log verify',
        'playlist',
        'playlist export',
        'playlist files',
        'playlist import',
        'playlist list',
        'playlist missing',
        'plugins',
        'plugins list',
        'plugins show',
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
        'user give',
        'user group',
        'user key',
        'user keys',
        'user level',
        'user list',
        'user password',
        'user revoke-key',
        'user stream-token',
        'user take',
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

describe('the end of a key', () => {
  it('is read as a date or a time', () => expect(pointInTime('2027-01-31').toISOString()).toBe('2027-01-31T00:00:00.000Z'));
  it('is explained when it is none', () => expect(() => pointInTime('soon')).toThrow(/2027-01-31T18:00Z/));
});

describe('explainError', () => {
  it('gives message and remedy, never a stack, for what a person can put right', () => {
    expect(explainError(new OperatorError('no server', 'start it'))).toEqual(['Error: no server.', 'Remedy: start it.']);
    expect(explainError(new Rejection('user.name-taken', undefined, 'ada'))).toEqual([
      'Refused: the user name is taken (ada) [user.name-taken].',
    ]);
    expect(explainError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))[0]).toBe('Error: the database does not answer.');
  });

  it('shows the stack of what nobody expected', () => expect(explainError(new TypeError('oops'))[0]).toContain('TypeError: oops'));
});
