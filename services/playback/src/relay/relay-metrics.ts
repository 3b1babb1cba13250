import { registerGauge, type Metrics } from '@continuo/chassis';
import type { RelayService } from '@continuo/contracts';
import { Counter, Gauge, Histogram } from 'prom-client';

/** Metrics of the scrobble relay. The label `service` is that of the process; `to` is the service that gets the plays. */
export interface RelayMetrics {
  /** Accounts that are linked, by state. */
  readonly links: Gauge<'to' | 'state'>;
  /** Plays by what became of them. */
  readonly plays: Counter<'to' | 'outcome'>;
  /** Requests by kind (`plays`, `playing`, `opinions`) and by what came back. */
  readonly requests: Counter<'to' | 'kind' | 'outcome'>;
  readonly requestSeconds: Histogram<'to'>;
  /** Number of plays of one account that were read and not sent yet, in the process that sends them. */
  readonly waiting: RelayBacklog;
}

/** Plays that wait, by account. */
export class RelayBacklog {
  readonly #plays = new Map<string, { readonly to: RelayService; readonly count: number }>();

  /** Notes how many plays of an account wait. */
  note({ user_id, service }: { readonly user_id: number; readonly service: RelayService }, count: number): void {
    const key = `${service} ${user_id}`;
    if (count === 0) this.#plays.delete(key);
    else this.#plays.set(key, { to: service, count });
  }

  /** Sums by service. */
  sums(): ReadonlyMap<RelayService, number> {
    const sums = new Map<RelayService, number>();
    for (const { to, count } of this.#plays.values()) sums.set(to, (sums.get(to) ?? 0) + count);
    return sums;
  }
}

/** Counts links for the gauge. */
export type CountLinks = () => readonly {
  readonly service: RelayService;
  readonly state: 'on' | 'waiting' | 'refused';
  readonly count: number;
}[];

/** Makes the instruments in the registry of a service. */
export const relayMetrics = ({ registry }: Pick<Metrics, 'registry'>, countLinks: CountLinks): RelayMetrics => {
  const registers = [registry];
  const links = new Gauge({
    name: 'continuo_relay_links',
    help: 'Accounts that are linked with a service, by state',
    labelNames: ['to', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { service, state, count } of countLinks()) this.set({ to: service, state }, count);
    },
  });
  const waiting = new RelayBacklog();
  registerGauge({
    name: 'continuo_relay_waiting_plays',
    help: 'Plays that services are yet to be told of',
    labelNames: ['to'],
    registers,
    collect() {
      this.reset();
      for (const { service } of countLinks()) this.set({ to: service }, 0);
      for (const [to, count] of waiting.sums()) this.set({ to }, count);
    },
  });
  return {
    links,
    waiting,
    plays: new Counter({
      name: 'continuo_relay_plays_total',
      help: 'Plays that services were to be told of, by what became of them',
      labelNames: ['to', 'outcome'],
      registers,
    }),
    requests: new Counter({
      name: 'continuo_relay_requests_total',
      help: 'Requests to services that are told of plays, by kind and by what came back',
      labelNames: ['to', 'kind', 'outcome'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'continuo_relay_request_seconds',
      help: 'Time that services took to answer, seconds',
      labelNames: ['to'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
  };
};
