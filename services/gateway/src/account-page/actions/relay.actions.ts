import {
  beginLastfmLink,
  describeRelays,
  hurryRelay,
  linkLastfm,
  linkListenBrainz,
  linkPluginRelay,
  Rejection,
  relayService,
  unlinkRelay,
  type RelayService,
} from '@continuo/contracts';
import { runCommand, runLongCommand } from '../../commands.js';
import { field, type SignedExchange } from '../exchange.js';
import type { BegunLink, Relays } from '../pages/relays.section.js';

/** The rest of the page is not to wait for a part of the server that is away. */
const DESCRIBE_MS = 2000;
/** A service elsewhere is asked while somebody waits. */
const LINK_MS = 20_000;

/** What an account is linked with and can be linked with; undefined when the service that keeps it does not say. */
export const relaysOf = async (page: SignedExchange): Promise<Relays | undefined> => {
  const { services } = page.tools;
  try {
    return await runLongCommand(services, page, { command: describeRelays, timeoutMs: DESCRIBE_MS }, { userId: page.caller.account.id });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    page.log.warn({ err: error }, 'the account page is shown without the connected services');
    return undefined;
  }
};

/** What a service elsewhere did not answer is the form's fault, not the page's: it is said where it was asked. */
const saidHere = async <R>(work: Promise<R>): Promise<R> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Rejection && error.code === 'unavailable')
      throw new Rejection('input.invalid', `That did not work: ${error.message}. Try again later.`, error.subject, { cause: error });
    throw error;
  }
};

/** Links the account with a server that speaks the protocol of ListenBrainz. @throws Rejection `input.invalid` */
export const connectListenBrainz = async (page: SignedExchange): Promise<void> => {
  const [token, address] = [field(page, 'token'), field(page, 'address')];
  if (token === '') throw new Rejection('input.invalid', 'A token is needed; it stands in your settings at ListenBrainz.', 'token');
  const data = { userId: page.caller.account.id, token, ...(address === '' ? {} : { address }) };
  await saidHere(runLongCommand(page.tools.services, page, { command: linkListenBrainz, timeoutMs: LINK_MS }, data));
};

/** Begins to link the account with Last.fm. @throws Rejection `input.invalid`, `feature.disabled` */
export const beginLastfm = (page: SignedExchange): Promise<BegunLink> =>
  saidHere(runLongCommand(page.tools.services, page, { command: beginLastfmLink, timeoutMs: LINK_MS }, { userId: page.caller.account.id }));

/** Links the account with Last.fm, once it was allowed there. @throws Rejection `input.invalid` when it was not */
export const finishLastfm = async (page: SignedExchange): Promise<void> => {
  const token = field(page, 'token');
  if (token === '') throw new Rejection('input.invalid', 'Begin with “Connect Last.fm”.', 'token');
  const data = { userId: page.caller.account.id, token };
  await saidHere(runLongCommand(page.tools.services, page, { command: linkLastfm, timeoutMs: LINK_MS }, data));
};

/** Links the account with the service of a plug-in. @throws Rejection `input.invalid` */
export const connectPlugin = async (page: SignedExchange): Promise<void> => {
  const [plugin, secret] = [field(page, 'plugin'), field(page, 'token')];
  if (secret === '') throw new Rejection('input.invalid', 'A token is needed; it stands in your settings there.', 'token');
  const data = { userId: page.caller.account.id, plugin, secret };
  await saidHere(runLongCommand(page.tools.services, page, { command: linkPluginRelay, timeoutMs: LINK_MS }, data));
};

const serviceOf = (page: SignedExchange): RelayService => {
  const parsed = relayService.safeParse(field(page, 'service'));
  if (!parsed.success) throw new Rejection('input.invalid', 'There is no such service.', 'service');
  return parsed.data;
};

/** Tells a service nothing more. @throws Rejection `input.invalid` */
export const disconnect = async (page: SignedExchange): Promise<void> => {
  await runCommand(page.tools.services, page, unlinkRelay, { userId: page.caller.account.id, service: serviceOf(page) });
};

/** Tries what waits at once. @throws Rejection `input.invalid` */
export const hurry = async (page: SignedExchange): Promise<void> => {
  await runCommand(page.tools.services, page, hurryRelay, { userId: page.caller.account.id, service: serviceOf(page) });
};
