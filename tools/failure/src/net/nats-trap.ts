import { NatsOperations, type NatsOperation } from './nats-operations.js';
import { TcpProxy, type ConnectionShaper } from './tcp-proxy.js';

/** At which operation of a service its connection is to stand still. */
export type Trigger = (operation: NatsOperation) => boolean;

/** Holds a service's connection to NATS still at an exact point: what it sends from there on never reaches the server. */
export class NatsTrap {
  readonly #proxy: TcpProxy;
  readonly #state: TrapState;

  private constructor(proxy: TcpProxy, state: TrapState) {
    this.#proxy = proxy;
    this.#state = state;
  }

  /** Stands in front of the server at `url`. */
  static async start(url: string): Promise<NatsTrap> {
    const { hostname, port } = new URL(url);
    const state: TrapState = { trigger: undefined, caught: undefined, isShut: false };
    return new NatsTrap(await TcpProxy.start({ host: hostname, port: Number(port) }, watching(state)), state);
  }

  /** As services are told it. */
  get url(): string {
    return `nats://127.0.0.1:${this.#proxy.port}`;
  }

  /** Resolves when the trigger has been met; nothing of the service gets through from then on until {@link release}. */
  spring(trigger: Trigger): Promise<NatsOperation> {
    const { promise, resolve } = Promise.withResolvers<NatsOperation>();
    this.#state.trigger = trigger;
    this.#state.caught = resolve;
    return promise;
  }

  /** Throws away what was held, with its connection; later ones get through. */
  release(): void {
    this.#state.trigger = undefined;
    this.#state.isShut = false;
    this.#proxy.cut();
  }

  stop(): Promise<void> {
    return this.#proxy.stop();
  }
}

interface TrapState {
  trigger: Trigger | undefined;
  caught: ((operation: NatsOperation) => void) | undefined;
  isShut: boolean;
}

const watching =
  (state: TrapState): ConnectionShaper =>
  () => {
    const operations = new NatsOperations();
    return {
      toServer: (chunk) => (state.isShut ? never : untilTrigger(state, operations.push(chunk))),
      toClient: (chunk) => chunk,
    };
  };

const never = new Promise<Buffer>(() => undefined);

/** Returns the bytes before the operation that triggers the trap. */
const untilTrigger = (state: TrapState, operations: readonly NatsOperation[]): Buffer => {
  const passed: Buffer[] = [];
  for (const operation of operations) {
    if (state.trigger?.(operation)) {
      state.isShut = true;
      state.caught?.(operation);
      break;
    }
    passed.push(operation.bytes);
  }
  return Buffer.concat(passed);
};
