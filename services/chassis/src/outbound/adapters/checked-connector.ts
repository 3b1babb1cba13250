import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { OutboundError } from '../outbound-client.js';
import { mayReach, type AddressRange } from '../public-address.js';
import type { Resolve } from './resolve.js';

/** Refusal without the address: the person who named it must not learn what is in this network. */
const refused = (hostname: string): OutboundError =>
  new OutboundError('address-refused', `${hostname} does not lead to a public address, nor to one that this server allows`);

/**
 * Opens connections to checked addresses only. A name is resolved once per connection, and the connection goes to the very addresses that were checked, so
 * that a name that answers differently a moment later gains nothing. Which address was reached is looked at once more before anything is sent.
 */
export const checkedConnector = (allowed: readonly AddressRange[], resolve: Resolve, timeoutMs: number): buildConnector.connector => {
  const checked = async (hostname: string): Promise<readonly [LookupAddress, ...LookupAddress[]]> => {
    const found = await resolve(hostname).catch((cause: unknown) => {
      throw new OutboundError('unresolved', `${hostname} has no address`, { cause });
    });
    const [first, ...others] = found.filter(({ address }) => mayReach(address, allowed));
    if (first) return [first, ...others];
    throw found.length === 0 ? new OutboundError('unresolved', `${hostname} has no address`) : refused(hostname);
  };
  const lookup: LookupFunction = (hostname, options, callback) => {
    const answer = (found: readonly [LookupAddress, ...LookupAddress[]]): void =>
      options.all ? callback(null, [...found]) : callback(null, found[0].address, found[0].family);
    checked(hostname).then(answer, (error: Error) => callback(error, '', 0));
  };
  const connect = buildConnector({ lookup, timeout: timeoutMs });
  return (options, callback) => {
    const { hostname } = options;
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !mayReach(literal, allowed)) return callback(refused(hostname), null);
    connect(options, (error, socket) => {
      if (error || !socket) return callback(error ?? new OutboundError('unreachable', `${hostname} cannot be reached`), null);
      if (mayReach(remoteAddress(socket), allowed)) return callback(null, socket);
      socket.destroy();
      callback(refused(hostname), null);
    });
  };
};

const remoteAddress = (socket: Socket): string => socket.remoteAddress ?? '';
