import { specFor } from '@continuo/chassis/testkit';
import {
  podcastCreated,
  podcastDeleted,
  podcastDownloadBegun,
  podcastDownloadFailed,
  podcastDownloadsCancelled,
  podcastDownloadsRequested,
  podcastEpisodeDeleted,
  podcastEpisodeDownloaded,
  podcastEpisodesAdded,
  podcastFilesRemoved,
  type CatalogId,
  type EpisodeFile,
  type PodcastEpisodeId,
  type PodcastId,
} from '@continuo/contracts';
import { describe, it } from 'vitest';
import { shortKey } from './podcast-keys.js';
import { podcastAggregate } from './podcast.decider.js';

const { given } = specFor(podcastAggregate);
const place = { podcastId: 3 as PodcastId, catalogId: 2 as CatalogId };
const { podcastId } = place;
const [one, two, away] = [1, 2, 9] as PodcastEpisodeId[] as [PodcastEpisodeId, PodcastEpisodeId, PodcastEpisodeId];
const about = {
  title: 't',
  description: '',
  author: '',
  category: '',
  websiteUrl: null,
  imageUrl: null,
  publishedAtMs: 1,
  durationMs: null,
  mediaUrl: 'https://files.example/t.mp3',
  mime: null,
  sizeBytes: null,
};
const show = {
  title: 's',
  description: '',
  language: '',
  copyright: '',
  generator: '',
  author: '',
  websiteUrl: null,
  imageUrl: null,
  builtAtMs: null,
};
const history = [
  podcastCreated({ ...place, feedUrl: 'https://shows.example/feed', about: show }),
  podcastEpisodesAdded({ ...place, episodes: [one, two].map((episodeId) => ({ episodeId, key: `k${episodeId}`, about })) }),
];
const file: EpisodeFile = {
  path: 'podcast-3/a.mp3',
  sizeBytes: 9,
  durationMs: 1000,
  format: 'mp3',
  codec: null,
  mime: 'audio/mpeg',
  bitrateBps: 128_000,
  bitrateMode: 'cbr',
  lossless: false,
  sampleRateHz: 44_100,
  channels: 2,
  bitDepth: 0,
};
const requested = (episodeId: PodcastEpisodeId, run = 1) =>
  podcastDownloadsRequested({ ...place, cause: 'asked', downloads: [{ episodeId, run }] });
const begun = podcastDownloadBegun({ ...place, episodeId: one, run: 1 });
const kept = podcastEpisodeDownloaded({ ...place, episodeId: one, run: 1, file });
const failed = podcastDownloadFailed({ ...place, episodeId: one, run: 1, reason: 'gone' });
const want = (...episodeIds: PodcastEpisodeId[]) => ({ type: 'request-files', podcastId, episodeIds, cause: 'asked' }) as const;
const remove = (...episodeIds: PodcastEpisodeId[]) => ({ type: 'remove-files', podcastId, episodeIds, cause: 'asked' }) as const;
const word = { podcastId, episodeId: one, run: 1 };

describe('a file of an episode', () => {
  it('is wanted once, and again after it failed, was given up or went', () => {
    given(history)
      .when(want(one, one))
      .then([requested(one)]);
    given([...history, requested(one)])
      .when(want(one, two))
      .then([requested(two)]);
    given([...history, requested(one), begun, kept])
      .when(want(one))
      .then([]);
    given([...history, requested(one), failed])
      .when(want(one))
      .then([requested(one, 2)]);
    const gone = podcastFilesRemoved({ ...place, cause: 'retention', files: [{ episodeId: one, path: file.path }] });
    given([...history, requested(one), kept, gone])
      .when(want(one))
      .then([requested(one, 2)]);
  });

  it('is none of an episode that is not there', () => {
    given(history).when(want(one, away)).thenRejected('podcast-episode.not-found');
    const deleted = podcastEpisodeDeleted({ ...place, episodeId: one, key: shortKey('k1') });
    given([...history, deleted])
      .when(want(one))
      .thenRejected('podcast-episode.not-found');
    given([...history, podcastDeleted(place)])
      .when(want(one))
      .thenRejected('podcast.not-found');
  });

  it('comes by the last download alone', () => {
    given([...history, requested(one)])
      .when({ type: 'begin-download', ...word })
      .then([begun]);
    given([...history, requested(one), begun])
      .when({ type: 'begin-download', ...word })
      .then([]);
    given([...history, requested(one), begun])
      .when({ type: 'record-file', ...word, file })
      .then([kept]);
    given([...history, requested(one), begun, kept])
      .when({ type: 'record-file', ...word, file })
      .then([]);
    given([...history, requested(one), begun, kept])
      .when({ type: 'fail-download', ...word, reason: 'late' })
      .then([]);
    given([...history, requested(one), begun])
      .when({ type: 'fail-download', ...word, reason: 'gone' })
      .then([failed]);
    given([...history, requested(one), failed, requested(one, 2)])
      .when({ type: 'record-file', ...word, file })
      .then([]);
    given(history)
      .when({ type: 'record-file', ...word, file })
      .then([]);
  });

  it('goes, also while it is on its way', () => {
    given([...history, requested(one), begun, requested(two)])
      .when(remove(one, two, away))
      .then([podcastDownloadsCancelled({ ...place, episodeIds: [one, two] })]);
    given([...history, requested(one), kept])
      .when(remove(one, one))
      .then([podcastFilesRemoved({ ...place, cause: 'asked', files: [{ episodeId: one, path: file.path }] })]);
    given(history).when(remove(one)).then([]);
  });

  it('goes with its episode', () => {
    given([...history, requested(one), kept])
      .when({ type: 'delete-episode', podcastId, episodeId: one })
      .then([podcastEpisodeDeleted({ ...place, episodeId: one, key: shortKey('k1'), path: file.path })]);
  });
});
