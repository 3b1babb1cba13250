import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  HandlesEvents,
  AGGREGATES,
  type AggregateRunner,
  type DecisionOutcome,
  type RecordedOf,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import {
  changePlaylistFolder,
  createPlaylistFolder,
  deletePlaylistFolder,
  filePlaylist,
  unfilePlaylist,
  userDeleted,
  type CommandMessage,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { playlistFolders, type PlaylistFoldersCommand } from './playlist-folders.decider.js';

/** Answers the commands about folders of lists. */
@Controller()
export class PlaylistFolderController {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Makes a folder. */
  @HandlesCommand(createPlaylistFolder)
  async create(message: CommandOf<typeof createPlaylistFolder>): AnswerTo<typeof createPlaylistFolder> {
    const { userId, ...terms } = message.data;
    const { position, events } = await this.decide(message, { type: 'create', userId, terms });
    const made = events[0]?.[0]?.data as { readonly folderId: number };
    return { result: { folderId: made.folderId }, positions: position ? [position] : [] };
  }

  /** Renames, moves or orders a folder. */
  @HandlesCommand(changePlaylistFolder)
  change(message: CommandOf<typeof changePlaylistFolder>): AnswerTo<typeof changePlaylistFolder> {
    const { userId, folderId, ...changes } = message.data;
    return done(this.decide(message, { type: 'change', userId, folderId, changes }));
  }

  /** Ends a folder. */
  @HandlesCommand(deletePlaylistFolder)
  delete(message: CommandOf<typeof deletePlaylistFolder>): AnswerTo<typeof deletePlaylistFolder> {
    return done(this.decide(message, { type: 'delete', ...message.data }));
  }

  /** Files a list. */
  @HandlesCommand(filePlaylist)
  file(message: CommandOf<typeof filePlaylist>): AnswerTo<typeof filePlaylist> {
    const { userId, folderId, kind, listId, sortOrder } = message.data;
    return done(this.decide(message, { type: 'file', userId, folderId, list: { kind, listId }, sortOrder }));
  }

  /** Takes a list out. */
  @HandlesCommand(unfilePlaylist)
  unfile(message: CommandOf<typeof unfilePlaylist>): AnswerTo<typeof unfilePlaylist> {
    const { userId, folderId, kind, listId } = message.data;
    return done(this.decide(message, { type: 'unfile', userId, folderId, list: { kind, listId } }));
  }

  /** A tree goes with its account. */
  @HandlesEvents('identity', 'forget-playlist-folders', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forgetUser({ data: { userId }, id, actor, correlationId, at }: RecordedOf<typeof userDeleted>): Promise<void> {
    const context = { actor, correlationId, causationId: id, at };
    await this.aggregates.run([decision(playlistFolders, userId, { type: 'forget', userId })], context);
  }

  private decide(message: CommandMessage, command: PlaylistFoldersCommand): Promise<DecisionOutcome> {
    return this.aggregates.run([decision(playlistFolders, command.userId, command)], decisionMeta(message));
  }
}
