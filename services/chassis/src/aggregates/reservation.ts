import type { DomainEvent, Rejection } from '@continuo/contracts';
import type { Aggregate } from './aggregate.js';

/** Commands of a reservation; beside the type they hold what its events say. */
export type ReservationCommand<D> = D & { readonly type: 'reserve' | 'release' };

/** Builds one of the two events of a reservation; every result of `defineEvent` fits. */
interface ReservationEvent<D> {
  readonly type: string;
  (data: D): DomainEvent<string, D>;
}

/** Terms of a kind of reservation. */
export interface ReservationTerms<D, K extends keyof D> extends Pick<Aggregate<never, never, never>, 'context' | 'kind'> {
  /** Field of the events that names the holder. */
  readonly holder: K;
  readonly reserved: ReservationEvent<D>;
  readonly released: ReservationEvent<D>;
  /** Refuses what somebody else holds. */
  readonly taken: (data: D) => Rejection;
}

/**
 * A reservation of something that only one can hold, whatever the timing: the thing is the aggregate's id, and the log refuses a second reservation of the same id.
 * Reserving what one holds already, and releasing what one does not hold, change nothing.
 */
export const reservation = <D extends object, K extends keyof D>({
  context,
  kind,
  holder: field,
  reserved,
  released,
  taken,
}: ReservationTerms<D, K>): Aggregate<{ readonly holder: D[K] | null }, ReservationCommand<D>, DomainEvent<string, D>> => ({
  context,
  kind,
  initialState: { holder: null },
  decide: ({ holder }, { type, ...rest }) => {
    const data = rest as unknown as D;
    const isHolder = holder === data[field];
    if (type === 'release') return isHolder ? [released(data)] : [];
    if (isHolder) return [];
    if (holder !== null) throw taken(data);
    return [reserved(data)];
  },
  evolve: (state, { type, data }) => {
    if (type === reserved.type) return { holder: data[field] };
    return type === released.type ? { holder: null } : state;
  },
});
