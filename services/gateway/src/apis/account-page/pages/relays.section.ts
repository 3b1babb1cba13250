import type { describeRelays, RelayService } from '@continuo/contracts';
import type { z } from 'zod';
import { html, type Markup } from '../markup.js';
import { moment } from './words.js';

/** Links of an account, and services it can be linked with. */
export type Relays = z.output<typeof describeRelays.result>;
type Link = Relays['links'][number];
type Offer = Relays['offers'][number];

/** A link that the user must still allow at the service. */
export interface BegunLink {
  readonly token: string;
  readonly allowUrl: string;
}

/** Data of the section; without `relays` when the playback service does not answer. */
export interface RelaysSection {
  readonly csrfToken: string;
  readonly relays: Relays | undefined;
  readonly begun?: BegunLink | undefined;
}

const NAMES: Readonly<Record<RelayService, string>> = { listenbrainz: 'ListenBrainz', lastfm: 'Last.fm', plugin: 'A plug-in' };
const USUAL_HOSTS: ReadonlySet<string> = new Set(['api.listenbrainz.org', 'ws.audioscrobbler.com']);

const hidden = (name: string, value: string): Markup => html`<input type="hidden" name="${name}" value="${value}" />`;

const STATES: Readonly<Record<Link['state'], string>> = { on: 'connected', waiting: 'waiting', refused: 'ended' };

const progress = ({ taken, lastTakenAtMs, linkedAtMs }: Link): string => {
  const plays = taken === 1 ? '1 play' : `${taken} plays`;
  return lastTakenAtMs === null ? `since ${moment(linkedAtMs)}, nothing played yet` : `${plays}, the latest at ${moment(lastTakenAtMs)}`;
};

const trouble = ({ state, fault, nextTryAtMs }: Link): string | undefined => {
  if (state === 'refused')
    return `It does not know your account any more${fault === null ? '' : ` (${fault})`}. Connect again: what you played meanwhile goes along.`;
  if (fault === null) return undefined;
  return state === 'waiting' && nextTryAtMs !== null ? `${fault}; next try ${moment(nextTryAtMs)}` : fault;
};

const linkRow = (csrfToken: string, link: Link): Markup => {
  const { service, host, name, state } = link;
  const said = trouble(link);
  const ids = html`${hidden('mark', csrfToken)}${hidden('service', service)}`;
  return html`<li>
    <div class="what">
      ${NAMES[service]} <span class="tag">${STATES[state]}</span
      ><small>${name === '' ? '' : `as ${name}`}${USUAL_HOSTS.has(host) ? '' : ` at ${host}`}</small
      ><small>${progress(link)}</small>${said !== undefined && html`<small>${said}</small>`}
    </div>
    ${state === 'waiting' && html`<form method="post" action="relay-hurry">${ids}<button class="slight">Try now</button></form>`}
    <form method="post" action="relay-unlink">
      ${ids}<button class="slight" aria-label="Disconnect ${NAMES[service]}">Disconnect</button>
    </form>
  </li>`;
};

const ownServer = ({ host }: Offer): Markup =>
  html`<label
    >Address of another server with the same protocol, such as Maloja (empty: ${host})
    <input name="address" type="url" maxlength="2048" autocomplete="off" placeholder="https://music.example.org/apis/listenbrainz"
  /></label>`;

const listenBrainzForm = (csrfToken: string, offer: Offer): Markup =>
  html`<details>
    <summary>Connect ListenBrainz</summary>
    <form method="post" action="relay-listenbrainz" autocomplete="off">
      ${hidden('mark', csrfToken)}
      <label>Token from your settings there <input name="token" type="password" required maxlength="512" autocomplete="off" /></label>
      ${offer.ownAddress && ownServer(offer)}<button>Connect</button>
    </form>
  </details>`;

const lastfmForm = (csrfToken: string, { host }: Offer): Markup =>
  html`<form method="post" action="relay-lastfm">
    ${hidden('mark', csrfToken)}<button class="plain">Connect Last.fm${USUAL_HOSTS.has(host) ? '' : ` at ${host}`}</button>
  </form>`;

const pluginForm = (csrfToken: string, { host, title = host }: Offer): Markup =>
  html`<details>
    <summary>Connect ${title}</summary>
    <form method="post" action="relay-plugin" autocomplete="off">
      ${hidden('mark', csrfToken)}${hidden('plugin', host)}
      <label>Token from your settings there <input name="token" type="password" required maxlength="512" autocomplete="off" /></label>
      <button>Connect</button>
    </form>
  </details>`;

/** The operator configures the address; anything but http(s) is left out. */
const begunForm = (csrfToken: string, { token, allowUrl }: BegunLink): Markup =>
  html`<div class="note">
    <p>
      ${
        /^https?:\/\//.test(allowUrl)
          ? html`<a href="${allowUrl}" target="_blank" rel="noopener noreferrer">Allow this server at Last.fm</a> (it opens beside this
              page), then come back and finish.`
          : 'Allow this server at Last.fm, then come back and finish.'
      }
    </p>
    <form method="post" action="relay-finish">${hidden('mark', csrfToken)}${hidden('token', token)}<button>Finish</button></form>
  </div>`;

const offered = ({ csrfToken, begun }: RelaysSection, { links }: Relays, offer: Offer): Markup | undefined => {
  const isLinked = links.some(({ service, state }) => service === offer.service && state !== 'refused');
  if (isLinked) return undefined;
  if (offer.service === 'listenbrainz') return listenBrainzForm(csrfToken, offer);
  if (offer.service === 'plugin') return pluginForm(csrfToken, offer);
  return begun ? begunForm(csrfToken, begun) : lastfmForm(csrfToken, offer);
};

/** Section of the scrobbling services; undefined when there is nothing to link with. */
export const relaysSection = (section: RelaysSection): Markup | undefined => {
  const { csrfToken, relays } = section;
  if (relays?.links.length === 0 && relays.offers.length === 0) return undefined;
  return html`<section class="card">
    <h2 id="relays">Connected services</h2>
    <p class="dim">They are told what you play, from when you connect them on; skipped songs and those of half a minute are left out.</p>
    ${!relays && html`<p class="dim">They cannot be shown at the moment.</p>`}
    ${
      relays &&
      relays.links.length > 0 &&
      html`<ul class="rows">
        ${relays.links.map((link) => linkRow(csrfToken, link))}
      </ul>`
    }
    ${relays?.offers.map((offer) => offered(section, relays, offer)).filter((part) => part !== undefined)}
  </section>`;
};
