import { EventSourcedRunner, type Handled } from '@continuo/chassis';
import { type InMemoryCommandClient, noSnapshots } from '@continuo/chassis/testkit';
import {
  addPlaylistMembers,
  changePlaylist,
  clearPlaylist,
  createPlaylist,
  deletePlaylist,
  orderPlaylist,
  removePlaylistMembers,
  replacePlaylistMembers,
} from '@continuo/contracts';
import { PlaylistController } from '@continuo/library';
import type { Kysely } from 'kysely';
import { createReadModel, projectInto } from './install.js';
import { RecordingEventStore } from './library-writer.js';

/**
 * Answers the commands about playlists as the library does: its own handler decides over a log in memory, its own projection makes the rows before the answer. The lists
 * of the read model must come from here.
 */
export const answerPlaylists = async (commands: InMemoryCommandClient, db: Kysely<unknown>): Promise<void> => {
  const log = new RecordingEventStore();
  const controller = new PlaylistController(new EventSourcedRunner(log, noSnapshots), db, { require: async () => undefined });
  const installed = (await createReadModel(db)).filter(({ projection }) => projection.name === 'library-playlists');
  let projected = 0;
  const shown = async <R>(answer: Promise<Handled<R>>): Promise<Handled<R>> => {
    const { result } = await answer;
    const events = log.events.slice(projected);
    projected = log.events.length;
    for (const one of installed) await projectInto(db, one, events);
    return { result, positions: [] };
  };
  commands
    .handle(createPlaylist, (message) => shown(controller.create(message)))
    .handle(changePlaylist, (message) => shown(controller.change(message)))
    .handle(addPlaylistMembers, (message) => shown(controller.add(message)))
    .handle(removePlaylistMembers, (message) => shown(controller.remove(message)))
    .handle(clearPlaylist, (message) => shown(controller.clear(message)))
    .handle(orderPlaylist, (message) => shown(controller.order(message)))
    .handle(replacePlaylistMembers, (message) => shown(controller.replace(message)))
    .handle(deletePlaylist, (message) => shown(controller.delete(message)));
};
