import { projectEach, type Projection } from '@continuo/chassis';
import type { PodcastArtEvent, PodcastArtTable } from '@continuo/contracts';

interface Tables {
  podcast_art: PodcastArtTable;
}

const ddl = [
  'create table podcast_art (podcast_id bigint primary key, image_url text not null, art_hash text not null, art_mime text not null)',
  // A picture is asked for by what is in it.
  'create index podcast_art_by_hash on podcast_art (art_hash)',
];

/** Pictures of podcasts. They stay when a podcast goes: its number is not given out again. */
export const podcastArtProjection: Projection<Tables> = {
  name: 'library-podcast-art',
  version: 1,
  context: 'library',
  publishedSchema: 'library',
  publishes: ['podcast_art'],
  ddl,
  ...projectEach<PodcastArtEvent, Tables>({
    PodcastPictured: ({ data: { podcastId, imageUrl, art } }, db) => {
      const row = { image_url: imageUrl, art_hash: art.hash, art_mime: art.mime };
      return [
        db
          .insertInto('podcast_art')
          .values({ podcast_id: podcastId, ...row })
          .onConflict((conflict) => conflict.column('podcast_id').doUpdateSet(row)),
      ];
    },
  }),
};
