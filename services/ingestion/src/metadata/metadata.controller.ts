import { contextOf, HandlesCommand, type AnswerTo } from '@continuo/chassis';
import { requestExternalMetadata, describePlugins, findArt, findLyrics, refreshArtistInfo, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { ArtistInfo } from './artist-info.js';
import { subjectOf, type FactsSubjects } from './facts-subjects.reads.js';
import { FoundArt } from './found-art.js';
import { findLyricsOf } from './found-lyrics.js';
import { Providers } from './providers.js';
import { factsOf } from './read-facts.js';

/** Injection token of the {@link FactsSubjects}. */
export const FACTS_SUBJECTS = Symbol('FactsSubjects');

/** Answers what plug-ins know. Several commands run at the same time: they mostly wait. */
@Controller()
export class MetadataController {
  constructor(
    @Inject(Providers) private readonly providers: Providers,
    @Inject(FACTS_SUBJECTS) private readonly subjects: FactsSubjects,
    @Inject(ArtistInfo) private readonly artistInfo: ArtistInfo,
    @Inject(FoundArt) private readonly art: FoundArt,
  ) {}

  /** Brings what is known of an artist up to date. */
  @HandlesCommand(refreshArtistInfo)
  refresh(message: CommandMessage<z.output<typeof refreshArtistInfo.schema>>): AnswerTo<typeof refreshArtistInfo> {
    return this.artistInfo.refresh(message.data.artistId, message.data.isWanted, contextOf(message));
  }

  /** Looks for a picture. */
  @HandlesCommand(findArt)
  findArt(message: CommandMessage<z.output<typeof findArt.schema>>): AnswerTo<typeof findArt> {
    const { of } = message.data;
    return this.art.find('artistId' in of ? { kind: 'artist', id: of.artistId } : { kind: 'album', id: of.albumId }, contextOf(message));
  }

  /** Answers the metadata of each plug-in about one object. */
  @HandlesCommand(requestExternalMetadata)
  async facts(message: CommandMessage<z.output<typeof requestExternalMetadata.schema>>): AnswerTo<typeof requestExternalMetadata> {
    const { kind, id } = message.data;
    const host = await this.providers.host();
    const query = host.having('metadata', kind).length > 0 ? await subjectOf(this.subjects, kind, id) : undefined;
    const said = query === undefined ? [] : await host.askAll({ part: 'metadata', function: kind, query });
    const answers = said.flatMap(({ plugin, title, answer }) => {
      const facts = factsOf(answer);
      return facts ? [{ plugin, title, facts }] : [];
    });
    return { result: { answers }, positions: [] };
  }

  /** Words of a song. */
  @HandlesCommand(findLyrics)
  async lyrics(message: CommandMessage<z.output<typeof findLyrics.schema>>): AnswerTo<typeof findLyrics> {
    const found = await findLyricsOf(await this.providers.host(), this.subjects, message.data.songId);
    return { result: { found }, positions: [] };
  }

  /** Which plug-ins there are. */
  @HandlesCommand(describePlugins)
  async describe(): AnswerTo<typeof describePlugins> {
    return { result: { plugins: (await this.providers.host()).describe() }, positions: [] };
  }
}
