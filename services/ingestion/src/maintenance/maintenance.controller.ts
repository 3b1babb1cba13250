import { HandlesCommand, type Handled } from '@continuo/chassis';
import { deleteSongFile, maintainPath, readSongTags, rereadSongs, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { CatalogMaintenance } from './catalog-maintenance.js';
import { InFlight } from './in-flight.js';

/** Further ones wait: everybody may ask for tags to be read again, and a scan shares the reader. */
const MAX_AT_ONCE = 4;

/** Maintenance of single files, folders and songs, answered when it is done. */
@Controller()
export class MaintenanceController {
  readonly #inFlight = new InFlight(MAX_AT_ONCE);

  constructor(@Inject(CatalogMaintenance) private readonly maintenance: CatalogMaintenance) {}

  @HandlesCommand(maintainPath)
  maintain(message: CommandMessage<z.output<typeof maintainPath.schema>>): Promise<Handled<z.input<typeof maintainPath.result>>> {
    return this.#inFlight.run(message.id, () => this.maintenance.maintain(message.data, message));
  }

  @HandlesCommand(rereadSongs)
  reread(message: CommandMessage<z.output<typeof rereadSongs.schema>>): Promise<Handled<z.input<typeof rereadSongs.result>>> {
    return this.#inFlight.run(message.id, () => this.maintenance.reread(message.data.songIds, message));
  }

  @HandlesCommand(readSongTags)
  tags(message: CommandMessage<z.output<typeof readSongTags.schema>>): Promise<Handled<z.input<typeof readSongTags.result>>> {
    return this.#inFlight.run(message.id, async () => ({ result: await this.maintenance.tags(message.data.songId), positions: [] }));
  }

  @HandlesCommand(deleteSongFile)
  delete(message: CommandMessage<z.output<typeof deleteSongFile.schema>>): Promise<Handled<z.input<typeof deleteSongFile.result>>> {
    return this.#inFlight.run(message.id, () => this.maintenance.deleteSong(message.data.songId, message));
  }
}
