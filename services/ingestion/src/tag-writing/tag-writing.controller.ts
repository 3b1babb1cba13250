import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { HandlesCommand, type Handled } from '@continuo/chassis';
import { isElsewhere, Rejection, writeSongTags, type CommandMessage, type ReadModel } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { isInside } from '@continuo/media-store';
import type { CatalogMaintenance } from '../maintenance/catalog-maintenance.js';
import { catalogRoot } from '../maintenance/catalog-path.js';
import { InFlight } from '../maintenance/in-flight.js';
import { songPlaces } from '../maintenance/song-places.reads.js';
import { writeTagsInto, type TagWritingDependencies } from './write-tags.js';

/** Dependencies of the controller. */
export interface TagWriting extends TagWritingDependencies {
  readonly db: Kysely<ReadModel>;
  readonly maintenance: Pick<CatalogMaintenance, 'reread'>;
  /** Whether tags may be written at all. */
  readonly isOn: boolean;
}

/** Under which the module hands it out. */
export const TAG_WRITING = Symbol('TagWriting');

/** Each file is held in memory while it is written. */
const MAX_AT_ONCE = 1;

/** Writes tags into files of songs, where that is switched on. */
@Controller()
export class TagWritingController {
  readonly #inFlight = new InFlight(MAX_AT_ONCE);

  constructor(@Inject(TAG_WRITING) private readonly deps: TagWriting) {}

  @HandlesCommand(writeSongTags)
  write(message: CommandMessage<z.output<typeof writeSongTags.schema>>): Promise<Handled<z.input<typeof writeSongTags.result>>> {
    if (!this.deps.isOn) throw new Rejection('feature.disabled', undefined, 'write_tags');
    return this.#inFlight.run(message.id, async () => {
      const { songId, tags } = message.data;
      await writeTagsInto(await this.#fileOf(message.data), tags, this.deps);
      return this.deps.maintenance.reread([songId], message);
    });
  }

  async #fileOf({ songId }: z.output<typeof writeSongTags.schema>): Promise<string> {
    const [place] = await songPlaces(this.deps.db, [songId]);
    if (!place) throw new Rejection('song.not-found', undefined, String(songId));
    if (place.isPart)
      throw new Rejection('media.failed', 'the song shares its file with others; its cue sheet says what it is', String(songId));
    if (isElsewhere(place.catalog.path))
      throw new Rejection('feature.disabled', 'tags are written into files of this machine only', 'write_tags');
    const root = await catalogRoot(place.catalog.path);
    const path = await realpath(join(root, place.folderPath, place.fileName)).catch((error: unknown) => {
      throw new Rejection('media.not-found', undefined, undefined, { cause: error });
    });
    if (!isInside(root, path)) throw new Rejection('catalog.path-outside', undefined, place.fileName);
    return path;
  }
}
