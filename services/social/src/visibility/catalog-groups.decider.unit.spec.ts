import { specFor } from '@continuo/chassis/testkit';
import {
  catalogGroupAdded,
  catalogGroupFilled,
  catalogGroupJoined,
  catalogGroupRemoved,
  catalogGroupRenamed,
  catalogId,
  userId,
} from '@continuo/contracts';
import { describe, it } from 'vitest';
import { catalogGroups } from './catalog-groups.decider.js';

const { given } = specFor(catalogGroups);
const [ada, bob] = [userId.parse(1), userId.parse(2)];
const ids = (...all: number[]) => all.map((id) => catalogId.parse(id));
const children = catalogGroupAdded({ groupId: 1, name: 'Children' });
const guests = catalogGroupAdded({ groupId: 2, name: 'Guests' });
const inChildren = catalogGroupJoined({ userId: ada, groupId: 1 });

describe('catalogGroups', () => {
  it('numbers groups on and never reuses a number', () => {
    given([]).when({ type: 'add', name: 'Children' }).then([children]);
    given([children, catalogGroupRemoved({ groupId: 1 })])
      .when({ type: 'add', name: 'Guests' })
      .then([guests]);
  });

  it('keeps names apart in any case, and the name of the default group free', () => {
    given([children]).when({ type: 'add', name: 'CHILDREN' }).thenRejected('input.invalid');
    given([]).when({ type: 'add', name: 'Default' }).thenRejected('input.invalid');
    given([children, guests]).when({ type: 'rename', groupId: 2, name: 'children' }).thenRejected('input.invalid');
    given([children])
      .when({ type: 'rename', groupId: 1, name: 'CHILDREN' })
      .then([catalogGroupRenamed({ groupId: 1, name: 'CHILDREN' })]);
    given([children]).when({ type: 'rename', groupId: 1, name: 'Children' }).then([]);
    given([]).when({ type: 'rename', groupId: 1, name: 'Children' }).thenRejected('input.invalid');
  });

  it('says what a group holds, in one fact, and nothing when it does so already', () => {
    const filled = catalogGroupFilled({ groupId: 1, catalogIds: ids(2, 3) });
    given([children])
      .when({ type: 'change', groupId: 1, add: ids(3, 2, 3), remove: [] })
      .then([filled]);
    given([children, filled])
      .when({ type: 'change', groupId: 1, add: ids(2), remove: ids(9) })
      .then([]);
    given([children, filled])
      .when({ type: 'change', groupId: 1, add: ids(1), remove: ids(2) })
      .then([catalogGroupFilled({ groupId: 1, catalogIds: ids(1, 3) })]);
    given([])
      .when({ type: 'change', groupId: 1, add: ids(1), remove: [] })
      .thenRejected('input.invalid');
  });

  it('lets accounts join groups that there are, and go back to the default one', () => {
    given([children]).when({ type: 'join', userId: ada, groupId: 1 }).then([inChildren]);
    given([children, inChildren]).when({ type: 'join', userId: ada, groupId: 1 }).then([]);
    given([children]).when({ type: 'join', userId: ada, groupId: null }).then([]);
    given([children, inChildren])
      .when({ type: 'join', userId: ada, groupId: null })
      .then([catalogGroupJoined({ userId: ada, groupId: null })]);
    given([]).when({ type: 'join', userId: ada, groupId: 1 }).thenRejected('input.invalid');
  });

  it('keeps a group that somebody belongs to until it is said where they go', () => {
    const inGuests = catalogGroupJoined({ userId: bob, groupId: 2 });
    given([children, inChildren]).when({ type: 'remove', groupId: 1 }).thenRejected('input.invalid');
    given([children, inChildren]).when({ type: 'remove', groupId: 1, moveTo: 1 }).thenRejected('input.invalid');
    given([children, inChildren]).when({ type: 'remove', groupId: 1, moveTo: 7 }).thenRejected('input.invalid');
    given([children, guests, inChildren, inGuests])
      .when({ type: 'remove', groupId: 1, moveTo: 2 })
      .then([catalogGroupJoined({ userId: ada, groupId: 2 }), catalogGroupRemoved({ groupId: 1 })]);
    given([children, inChildren])
      .when({ type: 'remove', groupId: 1, moveTo: null })
      .then([catalogGroupJoined({ userId: ada, groupId: null }), catalogGroupRemoved({ groupId: 1 })]);
    given([children])
      .when({ type: 'remove', groupId: 1 })
      .then([catalogGroupRemoved({ groupId: 1 })]);
    given([]).when({ type: 'remove', groupId: 1 }).then([]);
  });
});
