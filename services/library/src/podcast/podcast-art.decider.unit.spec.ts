import { specFor } from '@continuo/chassis/testkit';
import { podcastId, podcastPictured } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { podcastArtAggregate } from './podcast-art.decider.js';

const id = podcastId.parse(1);
const picture = (letter: string) => ({ hash: letter.repeat(64), mime: 'image/png', sizeBytes: 10 });
const [first, second] = [picture('a'), picture('b')];
const [here, there] = ['https://talks.example/a.png', 'https://talks.example/b.png'];
const pictured = (imageUrl: string, art: typeof first) => podcastPictured({ podcastId: id, imageUrl, art });
const record = (imageUrl: string, art: typeof first) => ({ type: 'record', podcastId: id, imageUrl, art }) as const;

describe('the picture of a podcast', () => {
  const { given } = specFor(podcastArtAggregate);
  it('is recorded', () => {
    given([])
      .when(record(here, first))
      .then([pictured(here, first)]);
  });
  it('is recorded once', () => {
    given([pictured(here, first)])
      .when(record(here, first))
      .then([]);
  });
  it('is another one where its address or its bytes are', () => {
    given([pictured(here, first)])
      .when(record(there, first))
      .then([pictured(there, first)]);
    given([pictured(here, first)])
      .when(record(here, second))
      .then([pictured(here, second)]);
  });
});
