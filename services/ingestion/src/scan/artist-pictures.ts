import type { CommandClient } from '@continuo/chassis';
import {
  recordFoundArt,
  type ArtistId,
  type LogPosition,
  type MessageContext,
  type ReadModel,
  type ScannedCatalog,
} from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { CatalogFiles } from '../catalog-files/catalog-files.js';
import type { TagReader } from '../tags/tag-reader.js';
import type { DiskFile, WalkedFolder } from '../walk/walked-folder.js';
import type { ArtKeeper } from './art-keeper.js';
import type { PictureNames } from './picture-names.js';
import { filePath, type ScanTally } from './scan-tally.js';

/** Dependencies of {@link ArtistPictures}. */
export interface ArtistPictureDependencies {
  readonly db: Kysely<ReadModel>;
  readonly commands: CommandClient;
  readonly reader: TagReader;
  readonly files: Pick<CatalogFiles, 'locationOf'>;
  readonly art: ArtKeeper;
  readonly catalog: ScannedCatalog;
  readonly context: MessageContext;
  readonly tally: ScanTally;
  readonly signal: AbortSignal;
}

/** A picture that stands for the artist of a folder. */
interface MetPicture {
  readonly folderPath: string;
  readonly file: DiskFile;
}

interface Owner {
  readonly path: string;
  readonly artistId: ArtistId;
  readonly source: string | null;
}

const FOLDERS_PER_QUERY = 500;

/** Says which file a picture came from, so that the next scan knows whether it has to look. */
const sourceOf = ({ sizeBytes, mtimeMs }: DiskFile): string => `file ${sizeBytes} ${mtimeMs}`;

/**
 * Pictures of artists that lie in their folders (`Artist/artist.jpg`, or beside the songs). They are recorded like those that plug-ins find, when the folder and those right below it
 * have songs of one album artist only, and of one whose songs are all in this catalog: who does not see the catalog must not see its pictures.
 */
export class ArtistPictures {
  readonly #met: MetPicture[] = [];

  constructor(
    private readonly deps: ArtistPictureDependencies,
    private readonly names: PictureNames,
  ) {}

  /** Notes what a folder has. */
  meet({ path: folderPath, pictures }: WalkedFolder): void {
    for (const name of this.names) {
      const file = pictures.find((picture) => name.test(picture.name));
      if (file) {
        this.#met.push({ folderPath, file });
        return;
      }
    }
  }

  /** Records what is new or has changed, once the library shows the songs of the scan; answers the last place in the log that was written. */
  async record(): Promise<LogPosition | undefined> {
    let last: LogPosition | undefined;
    for (let at = 0; at < this.#met.length; at += FOLDERS_PER_QUERY) {
      this.deps.signal.throwIfAborted();
      const met = this.#met.slice(at, at + FOLDERS_PER_QUERY);
      const owners = new Map((await this.#owners(met)).map((owner) => [owner.path, owner]));
      for (const one of met) last = (await this.#recordOne(one, owners.get(one.folderPath))) ?? last;
    }
    return last;
  }

  async #recordOne({ folderPath, file }: MetPicture, owner: Owner | undefined): Promise<LogPosition | undefined> {
    if (owner === undefined || owner.source === sourceOf(file)) return undefined;
    const { reader, files, art, tally, commands, context } = this.deps;
    const path = filePath(folderPath, file.name);
    const read = await reader.readPicture(files.locationOf(path));
    if (!read.ok) {
      tally.noticed(path, 'damaged', `not used as the artist's picture: ${read.why}`);
      return undefined;
    }
    await art.keep(read.picture);
    const wanted = { of: { artistId: owner.artistId }, art: read.picture.ref, source: sourceOf(file) };
    return (await commands.send(recordFoundArt, wanted, context)).positions.at(-1);
  }

  /** Artists of the folders; a statement for hundreds. */
  async #owners(met: readonly MetPicture[]): Promise<Owner[]> {
    const paths = met.map(({ folderPath }) => folderPath);
    const { rows } = await sql<Owner>`
      select d.path, min(o.artist_id) as "artistId", min(fa.source) as source
      from library.folder d cross join lateral (
        select distinct a.album_artist_id as artist_id from library.folder f join library.song s on s.folder_id = f.id join library.album a on a.id = s.album_id
        where (f.id = d.id or f.parent_id = d.id) and a.album_artist_id is not null limit 2) o
      left join library.found_art fa on fa.kind = 'artist' and fa.object_id = o.artist_id
      where d.catalog_id = ${this.deps.catalog.id} and d.path = any(${paths}::text[])
        and not exists (select from library.artist_catalog ac where ac.artist_id = o.artist_id and ac.catalog_id <> d.catalog_id)
      group by d.path having count(*) = 1`.execute(this.deps.db);
    return rows;
  }
}
