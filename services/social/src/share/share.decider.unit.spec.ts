import { specFor } from '@continuo/chassis/testkit';
import { shareChanged, shareCreated, shareDeleted, shareId as id, shareVisited, userId } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { share } from './share.decider.js';

const { given } = specFor(share);
const shareId = id.parse(7);
const made = {
  shareId,
  userId: userId.parse(2),
  kind: 'album' as const,
  objectIds: [9],
  description: 'for you',
  allowStream: true,
  allowDownload: false,
  expiresAtMs: 5000,
  maxVisits: 2,
  secretSha256: 'digest',
  sealedSecret: 'sealed',
  createdAtMs: 1000,
};
const created = shareCreated(made);
const visit = (nowMs: number) => ({ type: 'visit', shareId, nowMs }) as const;
const visited = shareVisited({ shareId, visitedAtMs: 2000 });

describe('a share', () => {
  it('is made once', () => {
    given([]).when({ type: 'create', share: made }).then([created]);
    given([created]).when({ type: 'create', share: made }).thenRejected('conflict');
    given([created, shareDeleted({ shareId })])
      .when({ type: 'create', share: made })
      .thenRejected('conflict');
  });

  it('changes in what is named and differs', () => {
    const changes = { description: 'for you', allowDownload: true, expiresAtMs: null };
    given([created])
      .when({ type: 'change', shareId, changes })
      .then([shareChanged({ shareId, allowDownload: true, expiresAtMs: null })]);
    given([created, shareChanged({ shareId, allowDownload: true, expiresAtMs: null })])
      .when({ type: 'change', shareId, changes })
      .then([]);
    given([]).when({ type: 'change', shareId, changes }).thenRejected('share.not-found');
  });

  it('says again what somebody wrote, which it cannot compare', () => {
    const said = { userId: userId.parse(2), sealedDescription: 'v1.sealed' };
    given([shareCreated({ ...made, description: '', sealedDescription: 'v1.before' })])
      .when({ type: 'change', shareId, changes: { ...said, allowStream: true } })
      .then([shareChanged({ shareId, ...said })]);
  });

  it('counts visits until it expires or has had all of them', () => {
    given([created]).when(visit(2000)).then([visited]);
    given([created]).when(visit(5000)).thenRejected('share.not-found');
    given([created, visited]).when(visit(2000)).then([visited]);
    given([created, visited, visited]).when(visit(2000)).thenRejected('share.not-found');
    given([created, visited, visited, shareChanged({ shareId, maxVisits: 0, expiresAtMs: null })])
      .when(visit(9_000_000))
      .then([shareVisited({ shareId, visitedAtMs: 9_000_000 })]);
  });

  it('is gone for good once deleted', () => {
    given([created])
      .when({ type: 'delete', shareId })
      .then([shareDeleted({ shareId })]);
    for (const command of [visit(2000), { type: 'change', shareId, changes: { maxVisits: 9 } } as const])
      given([created, shareDeleted({ shareId })])
        .when(command)
        .thenRejected('share.not-found');
    given([created, shareDeleted({ shareId })])
      .when({ type: 'delete', shareId })
      .then([]);
  });
});
