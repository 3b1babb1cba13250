import { specFor } from '@continuo/chassis/testkit';
import { genreHidden, genreMerged, genreShown, genreUnmerged, type GenreId } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { genresAggregate } from './genre.decider.js';

const { given } = specFor(genresAggregate);
const [rock, pop, punk] = [1, 2, 3] as GenreId[] as [GenreId, GenreId, GenreId];

describe('genres', () => {
  it('are hidden and shown once', () => {
    given([])
      .when({ type: 'hide', genreId: rock })
      .then([genreHidden({ genreId: rock })]);
    given([genreHidden({ genreId: rock })])
      .when({ type: 'hide', genreId: rock })
      .then([]);
    given([genreHidden({ genreId: rock })])
      .when({ type: 'show', genreId: rock })
      .then([genreShown({ genreId: rock })]);
    given([genreHidden({ genreId: rock }), genreShown({ genreId: rock })])
      .when({ type: 'show', genreId: rock })
      .then([]);
  });

  it('are merged into others, the last decision counts', () => {
    const merged = genreMerged({ genreId: punk, intoIds: [rock, pop] });
    given([])
      .when({ type: 'merge', genreId: punk, intoIds: [pop, rock, pop] })
      .then([merged]);
    given([merged])
      .when({ type: 'merge', genreId: punk, intoIds: [rock, pop] })
      .then([]);
    given([merged])
      .when({ type: 'merge', genreId: punk, intoIds: [rock] })
      .then([genreMerged({ genreId: punk, intoIds: [rock] })]);
    given([merged])
      .when({ type: 'unmerge', genreId: punk })
      .then([genreUnmerged({ genreId: punk })]);
    given([merged, genreUnmerged({ genreId: punk })])
      .when({ type: 'unmerge', genreId: punk })
      .then([]);
  });

  it('never lead back to themselves', () => {
    const chain = [genreMerged({ genreId: punk, intoIds: [rock] }), genreMerged({ genreId: rock, intoIds: [pop] })];
    given([])
      .when({ type: 'merge', genreId: rock, intoIds: [pop, rock] })
      .thenRejected('input.invalid');
    given(chain)
      .when({ type: 'merge', genreId: pop, intoIds: [punk] })
      .thenRejected('input.invalid');
    given([...chain, genreUnmerged({ genreId: rock })])
      .when({ type: 'merge', genreId: pop, intoIds: [punk] })
      .then([genreMerged({ genreId: pop, intoIds: [punk] })]);
  });
});
