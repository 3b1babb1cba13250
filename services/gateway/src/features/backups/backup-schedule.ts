import { nextTurn, systemContext } from '@continuo/chassis';
import type { HasClock, HasConfig, HasLog } from '../../server/needs.js';
import type { HasLongWork } from '../operations/long-work.js';
import type { HasOperations } from '../operations/operations.js';
import { backupFolder, startOfBackup, takeBackup } from './take-backup.js';

/** Services that scheduled backups need. */
export type ScheduleServices = HasConfig & HasClock & HasLog & HasLongWork & HasOperations;

/**
 * Takes backups by the clock: at each turn of `BACKUP_SCHEDULE` one gateway of all takes one and deletes the oldest beyond `BACKUP_KEEP`. Turns that were
 * missed while the server was off happen once, late.
 */
export class BackupSchedule {
  #nextMs: number | undefined;

  /** @param takeTurn true for the one gateway that asks for a turn first */
  constructor(
    private readonly services: ScheduleServices,
    private readonly takeTurn: (turn: string) => Promise<boolean>,
  ) {}

  /** Takes the backup whose turn has come, if there is one. A failure waits for the next turn. */
  async look(): Promise<void> {
    const { config, now, log } = this.services;
    if (config.BACKUP_SCHEDULE === '' || config.BACKUP_FOLDER === undefined) return;
    try {
      this.#nextMs ??= await this.#turnAfterLast();
      const turnMs = this.#nextMs;
      if (now() < turnMs) return;
      this.#nextMs = this.#turnAfter(now());
      await this.#take(turnMs);
    } catch (err) {
      log.warn({ err }, 'Failed to take the scheduled backup; the next one is tried at its time');
    }
  }

  /** The turn after the newest backup, which may have come already; without any backup the schedule begins now. */
  async #turnAfterLast(): Promise<number> {
    const { library } = await this.services.operations.open();
    const newest = (await library.backupNames(backupFolder(this.services))).at(-1);
    return this.#turnAfter(newest === undefined ? this.services.now() : Date.parse(startOfBackup(newest)));
  }

  #turnAfter(afterMs: number): number {
    const { BACKUP_SCHEDULE, BACKUP_SCHEDULE_ZONE } = this.services.config;
    return nextTurn(BACKUP_SCHEDULE, BACKUP_SCHEDULE_ZONE, afterMs) ?? Infinity;
  }

  async #take(turnMs: number): Promise<void> {
    const { config, log } = this.services;
    if (!(await this.takeTurn(`backup-schedule ${turnMs}`))) return;
    const { subject } = await takeBackup(this.services, systemContext(), { database: true, pictures: true, keep: config.BACKUP_KEEP });
    log.info({ backup: subject }, 'a scheduled backup is being taken');
  }
}
