import {
  decision,
  decisionMeta,
  HandlesCommand,
  HandlesEvents,
  openSealed,
  type DecisionMeta,
  type Handled,
  type JobDelivery,
  type RecordedOf,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import {
  beginLastfmLink,
  describeRelays,
  retryRelayNow,
  linkLastfm,
  linkListenBrainz,
  linkPluginRelay,
  objectFlagged,
  objectUnflagged,
  Rejection,
  relayServices,
  unlinkRelay,
  userDeleted,
  type CommandMessage,
  type RelayService,
  type UserId,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { describeLinks } from './describe-links.js';
import type { KnownAccount } from './listen.js';
import { listenBrainzBase } from './relay-settings.js';
import type { RelayDependencies } from './relay-dependencies.js';
import { relayLinks, type RelayCommand } from './relay.decider.js';

/** Injection token of the {@link RelayDependencies}. */
export const RELAY_DEPENDENCIES = Symbol('RelayDependencies');

/** An account that a service knows, and where. */
interface Found extends KnownAccount {
  readonly service: RelayService;
  readonly host: string;
  /** Of a server of the account's own choice. */
  readonly address: string | null;
}

const refusal = (host: string, { fault, isForGood }: { readonly fault: string; readonly isForGood: boolean }, subject: string): Rejection =>
  new Rejection(isForGood ? 'input.invalid' : 'unavailable', `${host}: ${fault}`, subject);

/** Handles commands of links with scrobble services. */
@Controller()
export class RelayController {
  constructor(@Inject(RELAY_DEPENDENCIES) private readonly tools: RelayDependencies) {}

  /** Links an account with a server that speaks the protocol of ListenBrainz. */
  @HandlesCommand(linkListenBrainz)
  async linkListenBrainz(message: CommandOf<typeof linkListenBrainz>): AnswerTo<typeof linkListenBrainz> {
    const { settings, listenBrainz } = this.tools;
    const { userId, token, address } = message.data;
    const isOwn = address !== undefined && address !== '';
    if (isOwn && !settings.ownAddresses)
      throw new Rejection('feature.disabled', 'servers of people’s own are switched off here', 'address');
    const baseUrl = isOwn ? listenBrainzBase(address) : settings.listenBrainzUrl;
    await this.requireAccount(userId);
    const { host } = new URL(baseUrl);
    const known = await listenBrainz.accountOf({ baseUrl, credential: token });
    if ('fault' in known) throw refusal(host, known, 'token');
    return this.link(message, { ...known, service: 'listenbrainz', host, address: isOwn ? baseUrl : null });
  }

  /** Begins to link an account with Last.fm. */
  @HandlesCommand(beginLastfmLink)
  async beginLastfm(message: CommandOf<typeof beginLastfmLink>): AnswerTo<typeof beginLastfmLink> {
    const { lastfm, settings } = this.requireLastfm();
    await this.requireAccount(message.data.userId);
    const made = await lastfm.newToken(settings.url);
    if ('fault' in made) throw refusal(new URL(settings.url).host, { ...made, isForGood: false }, 'service');
    const allowUrl = new URL(settings.allowUrl);
    allowUrl.searchParams.set('api_key', settings.keys.apiKey);
    allowUrl.searchParams.set('token', made.token);
    return { result: { token: made.token, allowUrl: allowUrl.href }, positions: [] };
  }

  /** Links an account with Last.fm. */
  @HandlesCommand(linkLastfm)
  async linkLastfm(message: CommandOf<typeof linkLastfm>): AnswerTo<typeof linkLastfm> {
    const { lastfm, settings } = this.requireLastfm();
    const { userId, token } = message.data;
    await this.requireAccount(userId);
    const { host } = new URL(settings.url);
    const known = await lastfm.accountOf(settings.url, token);
    if ('fault' in known) throw refusal(host, known, 'token');
    return this.link(message, { ...known, service: 'lastfm', host, address: null });
  }

  /** Links an account with the service of a plug-in. */
  @HandlesCommand(linkPluginRelay)
  async linkPlugin(message: CommandOf<typeof linkPluginRelay>): AnswerTo<typeof linkPluginRelay> {
    const { userId, plugin, secret } = message.data;
    await this.requireAccount(userId);
    const known = await this.tools.pluginScrobbler.accountOf({ baseUrl: plugin, credential: secret });
    if ('fault' in known) throw refusal(plugin, known, 'token');
    return this.link(message, { ...known, service: 'plugin', host: plugin, address: null });
  }

  /** Tells a service nothing more. */
  @HandlesCommand(unlinkRelay)
  async unlink(message: CommandOf<typeof unlinkRelay>): Promise<Handled<Record<string, never>>> {
    const { userId, service } = message.data;
    const { position } = await this.decide(userId, { type: 'unlink', userId, service }, decisionMeta(message));
    await this.forget(userId, service);
    return { result: {}, positions: position ? [position] : [] };
  }

  /** Tries what waits at once. A link that its service refused keeps the reason: only linking the account again helps it. */
  @HandlesCommand(retryRelayNow)
  async hurry(message: CommandOf<typeof retryRelayNow>): Promise<Handled<Record<string, never>>> {
    const { userId, service } = message.data;
    const { state } = await this.tools.aggregates.load(relayLinks, userId);
    if (state[service]?.status !== 'refused') await this.tools.hurry({ user_id: userId, service });
    return { result: {}, positions: [] };
  }

  /** Lists the links of an account, and the services it can be linked with. */
  @HandlesCommand(describeRelays)
  async describe(message: CommandOf<typeof describeRelays>): AnswerTo<typeof describeRelays> {
    return { result: await describeLinks(this.tools, message.data.userId), positions: [] };
  }

  /** Removes the links of deleted accounts; their credentials went with the account's key. */
  @HandlesEvents('identity', 'forget-relays', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forgetDeleted({ id, at, data: { userId } }: RecordedOf<typeof userDeleted>, delivery: JobDelivery): Promise<void> {
    const { actor, correlationId, causationId } = delivery;
    await this.decide(userId, { type: 'forget', userId }, { actor, correlationId, causationId, commandId: id, at });
    for (const service of relayServices) await this.forget(userId, service);
  }

  /** Notes that somebody loves a song, or does so no more, for the services of the account. */
  @HandlesEvents('social', 'relay-favourites', [objectFlagged, objectUnflagged], { aggregates: ['annotations'], concurrency: 2 })
  async love({ type, position, data }: RecordedOf<typeof objectFlagged | typeof objectUnflagged>): Promise<void> {
    const { userId, kind, objectId } = data;
    if (kind !== 'song') return;
    const services = await this.tools.opinions.add({ userId, songId: objectId, loved: type === objectFlagged.type, position });
    for (const service of services) this.tools.wake({ user_id: userId, service });
  }

  private async link(message: CommandMessage<{ readonly userId: UserId }>, found: Found): Promise<Handled<{ name: string }>> {
    const { keys, endOfPlays, hurry } = this.tools;
    const { userId } = message.data;
    const { service, host, address, name, credential } = found;
    const sealer = await keys.sealerFor(userId);
    const { state } = await this.tools.aggregates.load(relayLinks, userId);
    const before = state[service];
    const resumes = before?.host === host && before.status !== 'off' && openSealed(sealer, before.sealedName) === name;
    const link = {
      userId,
      service,
      host,
      sealedAddress: address === null ? null : sealer.seal(address),
      sealedCredential: sealer.seal(credential),
      sealedName: sealer.seal(name),
      afterPosition: await endOfPlays(),
      linkedAtMs: message.at,
    };
    const { position } = await this.decide(userId, { type: 'link', link, resumes }, decisionMeta(message));
    await hurry({ user_id: userId, service });
    return { result: { name }, positions: position ? [position] : [] };
  }

  private decide(userId: UserId, command: RelayCommand, meta: DecisionMeta) {
    return this.tools.aggregates.run([decision(relayLinks, userId, command)], meta);
  }

  private async forget(userId: UserId, service: RelayService): Promise<void> {
    await this.tools.cursors.forget(userId, service);
    await this.tools.journal.forget({ user_id: userId, service });
    await this.tools.opinions.forget({ user_id: userId, service });
  }

  private requireLastfm() {
    const { lastfm, settings } = this.tools;
    if (!lastfm || !settings.lastfm) throw new Rejection('feature.disabled', 'this server has no key for Last.fm', 'service');
    return { lastfm, settings: settings.lastfm };
  }

  private async requireAccount(userId: UserId): Promise<void> {
    if (!(await this.tools.hasAccount(userId))) throw new Rejection('user.not-found');
  }
}
