import { specFor } from '@continuo/chassis/testkit';
import { relayLinked, relayRefused, relayUnlinked, userId } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { relayLinks } from './relay.decider.js';

const { given } = specFor(relayLinks);
const user = userId.parse(1);
const link = (linkedAtMs: number, afterPosition: number) => ({
  userId: user,
  service: 'listenbrainz' as const,
  host: 'api.example',
  sealedAddress: null,
  sealedCredential: 'v1.credential',
  sealedName: 'v1.name',
  afterPosition,
  linkedAtMs,
});
const first = relayLinked({ ...link(100, 7), run: 1, sinceMs: 100 });
const refused = relayRefused({ userId: user, service: 'listenbrainz' });
const unlinked = relayUnlinked({ userId: user, service: 'listenbrainz' });

describe('linking', () => {
  it('begins behind what was played before', () => {
    given([])
      .when({ type: 'link', link: link(100, 7), resumes: false })
      .then([first]);
  });
  it('again with the same account goes on where that was', () => {
    for (const before of [[first], [first, refused]])
      given(before)
        .when({ type: 'link', link: link(200, 99), resumes: true })
        .then([relayLinked({ ...link(200, 7), run: 1, sinceMs: 100 })]);
  });
  it('with another account, or after an end, begins anew', () => {
    const anew = relayLinked({ ...link(200, 99), run: 2, sinceMs: 200 });
    given([first])
      .when({ type: 'link', link: link(200, 99), resumes: false })
      .then([anew]);
    given([first, unlinked])
      .when({ type: 'link', link: link(200, 99), resumes: true })
      .then([anew]);
  });
});

describe('a refusal', () => {
  const refuse = (linkedAtMs: number) => ({ type: 'refuse', userId: user, service: 'listenbrainz', linkedAtMs }) as const;
  it('ends the link that it is about, once', () => {
    given([first]).when(refuse(100)).then([refused]);
    given([first, refused]).when(refuse(100)).then([]);
    given([]).when(refuse(100)).then([]);
  });
  it('does not end one that was renewed meanwhile', () => {
    given([first, relayLinked({ ...link(200, 7), run: 1, sinceMs: 100 })])
      .when(refuse(100))
      .then([]);
  });
});

describe('the end', () => {
  it('of a link comes once, of an account for all links', () => {
    given([first]).when({ type: 'unlink', userId: user, service: 'listenbrainz' }).then([unlinked]);
    given([first, unlinked]).when({ type: 'unlink', userId: user, service: 'listenbrainz' }).then([]);
    const lastfm = relayLinked({ ...link(100, 7), service: 'lastfm', run: 1, sinceMs: 100 });
    given([first, lastfm])
      .when({ type: 'forget', userId: user })
      .then([unlinked, relayUnlinked({ userId: user, service: 'lastfm' })]);
  });
});
