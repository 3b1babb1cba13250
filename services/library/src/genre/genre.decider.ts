import type { Aggregate } from '@continuo/chassis';
import { genreHidden, genreMerged, genreShown, genreUnmerged, Rejection, type GenreEvent, type GenreId } from '@continuo/contracts';

/** Decisions of administrators about genres. */
export interface GenresState {
  readonly hidden: readonly GenreId[];
  /** Targets by the id of the merged genre. */
  readonly merges: Readonly<Record<string, readonly GenreId[]>>;
}

/** Commands of the genres; every id is one that the library knows. */
export type GenresCommand =
  | { readonly type: 'hide' | 'show' | 'unmerge'; readonly genreId: GenreId }
  | { readonly type: 'merge'; readonly genreId: GenreId; readonly intoIds: readonly GenreId[] };

const decide = (state: GenresState, command: GenresCommand): GenreEvent[] => {
  const { genreId } = command;
  const isHidden = state.hidden.includes(genreId);
  switch (command.type) {
    case 'hide':
      return isHidden ? [] : [genreHidden({ genreId })];
    case 'show':
      return isHidden ? [genreShown({ genreId })] : [];
    case 'merge':
      return merge(state, genreId, command.intoIds);
    case 'unmerge':
      return state.merges[genreId] ? [genreUnmerged({ genreId })] : [];
  }
};

const merge = (state: GenresState, genreId: GenreId, wanted: readonly GenreId[]): GenreEvent[] => {
  const intoIds = [...new Set(wanted)].toSorted((a, b) => a - b);
  if (intoIds.includes(genreId)) throw new Rejection('input.invalid', 'a genre cannot be merged into itself', 'intoIds');
  const back = intoIds.find((id) => leadsTo(state, id, genreId));
  if (back !== undefined) throw new Rejection('input.invalid', `genre ${back} is itself merged into genre ${genreId}`, 'intoIds');
  return String(state.merges[genreId]) === String(intoIds) ? [] : [genreMerged({ genreId, intoIds })];
};

/** True when the songs of a genre carry another one, be it over several merges. */
const leadsTo = (state: GenresState, from: GenreId, to: GenreId): boolean => {
  const open = [from];
  const seen = new Set<GenreId>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(state.merges[id] ?? []));
  }
  return false;
};

const evolve = (state: GenresState, event: GenreEvent): GenresState => {
  const { genreId } = event.data;
  const { [genreId]: _own, ...others } = state.merges;
  switch (event.type) {
    case 'GenreHidden':
      return { ...state, hidden: [...state.hidden, genreId] };
    case 'GenreShown':
      return { ...state, hidden: state.hidden.filter((id) => id !== genreId) };
    case 'GenreMerged':
      return { ...state, merges: { ...others, [genreId]: event.data.intoIds } };
    case 'GenreUnmerged':
      return { ...state, merges: others };
    default:
      return state;
  }
};

/** Everything that was decided about genres: one aggregate, so that no two decisions at the same time can close a circle of merges. */
export const genresAggregate: Aggregate<GenresState, GenresCommand, GenreEvent> = {
  context: 'library',
  kind: 'genres',
  initialState: { hidden: [], merges: {} },
  decide,
  evolve,
};

/** The id of the only aggregate of its kind. */
export const GENRES_ID = 'all';
