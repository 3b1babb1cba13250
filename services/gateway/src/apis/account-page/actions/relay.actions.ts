import {
  beginLastfmLink,
  describeRelays,
  retryRelayNow,
  linkLastfm,
  linkListenBrainz,
  linkPluginRelay,
  Rejection,
  relayService,
  unlinkRelay,
  type RelayService,
} from '@continuo/contracts';
import { runCommand, runLongCommand } from '../../../server/commands.js';
import { field, type SignedExchange } from '../exchange.js';
import type { BegunLink, Relays } from '../pages/relays.section.js';

/** Timeout for reading the links, ms; the page is shown without them when the playback service does not answer. */
const DESCRIBE_MS = 2000;
/** Timeout for requests to the linked service, ms. */
const LINK_MS = 20_000;

/** Links of the account and the services it can be linked with; undefined when the playback service does not answer. */
export const relaysOf = async (page: SignedExchange): Promise<Relays | undefined> => {
  const { services } = page.tools;
  try {
    return await runLongCommand(services, page, { command: describeRelays, timeoutMs: DESCRIBE_MS }, { userId: page.caller.account.id });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    page.log.warn({ err: error }, 'Failed to read scrobbling links; the account page is shown without them');
    return undefined;
  }
};

/** Turns a failure of the remote service into a refusal of the form. */
const asFormError = async <R>(work: Promise<R>): Promise<R> => {
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
  await asFormError(runLongCommand(page.tools.services, page, { command: linkListenBrainz, timeoutMs: LINK_MS }, data));
};

/** Begins to link the account with Last.fm. @throws Rejection `input.invalid`, `feature.disabled` */
export const beginLastfm = (page: SignedExchange): Promise<BegunLink> =>
  asFormError(
    runLongCommand(page.tools.services, page, { command: beginLastfmLink, timeoutMs: LINK_MS }, { userId: page.caller.account.id }),
  );

/** Finishes linking the account with Last.fm. @throws Rejection `input.invalid` when the user has not allowed it there */
export const finishLastfm = async (page: SignedExchange): Promise<void> => {
  const token = field(page, 'token');
  if (token === '') throw new Rejection('input.invalid', 'Begin with “Connect Last.fm”.', 'token');
  const data = { userId: page.caller.account.id, token };
  await asFormError(runLongCommand(page.tools.services, page, { command: linkLastfm, timeoutMs: LINK_MS }, data));
};

/** Links the account with the service of a plug-in. @throws Rejection `input.invalid` */
export const connectPlugin = async (page: SignedExchange): Promise<void> => {
  const [plugin, secret] = [field(page, 'plugin'), field(page, 'token')];
  if (secret === '') throw new Rejection('input.invalid', 'A token is needed; it stands in your settings there.', 'token');
  const data = { userId: page.caller.account.id, plugin, secret };
  await asFormError(runLongCommand(page.tools.services, page, { command: linkPluginRelay, timeoutMs: LINK_MS }, data));
};

const serviceOf = (page: SignedExchange): RelayService => {
  const parsed = relayService.safeParse(field(page, 'service'));
  if (!parsed.success) throw new Rejection('input.invalid', 'There is no such service.', 'service');
  return parsed.data;
};

/** Unlinks a service. @throws Rejection `input.invalid` */
export const disconnect = async (page: SignedExchange): Promise<void> => {
  await runCommand(page.tools.services, page, unlinkRelay, { userId: page.caller.account.id, service: serviceOf(page) });
};

/** Retries waiting scrobbles now. @throws Rejection `input.invalid` */
export const retryRelay = async (page: SignedExchange): Promise<void> => {
  await runCommand(page.tools.services, page, retryRelayNow, { userId: page.caller.account.id, service: serviceOf(page) });
};
