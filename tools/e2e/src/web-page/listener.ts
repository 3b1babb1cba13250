import { AxeBuilder } from '@axe-core/playwright';
import { generateFiles, makeJoinedAlbum, makeTone } from '@continuo/media-fixtures';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openTab, startBrowser, until, type Tab } from '../browser.js';
import { administrator, Journey } from '../journey.js';

/** Lets a journey ask what sounds: the player makes its media elements without putting them into the page. */
export const NOTE_SOUNDS = `{
  const sounds = (window.sounds = new Set());
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    sounds.add(this);
    return play.call(this);
  };
}`;

/** Position of what sounds, s; null for silence. */
export const POSITION = '[...window.sounds].find((one) => !one.paused && one.readyState > 2)?.currentTime ?? null';

/** Takes the sound of each element that plays from now on through a recorder. */
export const RECORD = `{
  const context = new AudioContext();
  // Large, so that a busy page loses none of it.
  const recorder = context.createScriptProcessor(16384, 1, 1);
  window.recorded = { pieces: [], rate: context.sampleRate };
  recorder.onaudioprocess = ({ inputBuffer }) => window.recorded.pieces.push(inputBuffer.getChannelData(0).slice());
  recorder.connect(context.destination);
  const taken = new Set();
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    if (!taken.has(this)) context.createMediaElementSource(this).connect(recorder);
    taken.add(this);
    void context.resume();
    return play.call(this);
  };
}`;
/** Takes what a page sends to the sound card by itself through a recorder. */
const RECORD_GRAPH = `{
  const { connect } = AudioNode.prototype;
  let recorder;
  AudioNode.prototype.connect = function (target, ...more) {
    if (!(target instanceof AudioDestinationNode)) return connect.call(this, target, ...more);
    if (!recorder) {
      recorder = this.context.createScriptProcessor(16384, 1, 1);
      window.recorded = { pieces: [], rate: this.context.sampleRate };
      recorder.onaudioprocess = ({ inputBuffer }) => window.recorded.pieces.push(inputBuffer.getChannelData(0).slice());
      connect.call(recorder, target);
    }
    return connect.call(this, recorder);
  };
}`;
const HEARD = `(() => {
  const { pieces, rate } = window.recorded;
  const samples = pieces.flatMap((piece) => [...piece]);
  const sounds = (sample) => Math.abs(sample) > 0.001;
  const [first, last] = [samples.findIndex(sounds), samples.findLastIndex(sounds)];
  const silences = [];
  let silent = 0;
  for (let at = first; at <= last; at += 1) {
    if (!sounds(samples[at])) silent += 1;
    else {
      if (silent > rate / 1000) silences.push({ ms: (silent / rate) * 1000, beforeEndS: (last - at) / rate });
      silent = 0;
    }
  }
  return { silences, peak: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0), soundS: (last - first) / rate };
})()`;

/** Names of songs that are long enough to be left and found again. */
export const LONG = { title: 'A tone that lasts', seconds: 60 } as const;

/** Album of one tone that was cut into songs. */
export const JOINED = { album: 'Cut tone', parts: 2, seconds: 4 } as const;

/** The same as MP3 files. */
export const JOINED_MP3 = { ...JOINED, album: 'Cut and packed', format: 'mp3' } as const;

/** An album of one song without loss. */
export const LASTING = { album: 'Tone without loss', parts: 1, seconds: 60 } as const;

/** Songs of four seconds. */
const SHORT_SONGS = 24;

/** A song as the API tells it. */
export interface KnownSong {
  readonly id: string;
  readonly title: string;
  readonly track: number;
  /** Whole seconds. */
  readonly time: number;
  readonly album: { readonly id: string; readonly name: string };
  readonly artist: { readonly id: string; readonly name: string };
}

/** Starts a server with some music. */
export const musicServer = async (settings: Readonly<Record<string, string>> = {}): Promise<Journey> => {
  const journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: SHORT_SONGS, formats: ['mp3', 'flac'], seed: 20, flat: false });
  await makeTone(journey.music, LONG.title, LONG.seconds);
  for (const album of [JOINED, JOINED_MP3, LASTING]) await makeJoinedAlbum(journey.music, album);
  await journey.start(settings);
  await journey.scan();
  return journey;
};

/** A server with music, and a browser. */
export class WebPageWorld {
  /** Where the server was first; it can be opened there again without it. */
  private readonly address: string;

  private constructor(
    readonly journey: Journey,
    readonly browser: Browser,
    private readonly publicUrl: string | undefined,
  ) {
    this.address = journey.server.url;
  }

  /** Starts both. `PUBLIC_URL` among the settings is where a proxy offers the server; without one it is opened where it is. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<WebPageWorld> {
    return new WebPageWorld(await musicServer(settings), await startBrowser(), settings['PUBLIC_URL']);
  }

  /** Starts a browser for a server that runs. */
  static async over(journey: Journey): Promise<WebPageWorld> {
    return new WebPageWorld(journey, await startBrowser(), undefined);
  }

  /** Starts a new server that has made up the administrator's password, and a browser; the music of its folder is in no catalog yet. */
  static async startNew(songs: number): Promise<WebPageWorld> {
    const journey = await Journey.prepareNew();
    await generateFiles({ out: journey.music, count: songs, formats: ['mp3', 'flac'], seed: 22, flat: false });
    await journey.start({ CONTINUO_ADMIN_PASSWORD: undefined, CONTINUO_ADMIN_API_KEY: undefined, CATALOG_ROOTS: journey.folder });
    return WebPageWorld.over(journey);
  }

  async end(): Promise<void> {
    await this.browser.close();
    await this.journey.end();
  }

  get url(): string {
    return this.publicUrl ?? this.address;
  }

  /** Restarts the server where it was. */
  async startAgain(): Promise<void> {
    await this.journey.start({}, undefined, Number(new URL(this.address).port));
  }

  async stopServer(): Promise<void> {
    await this.journey.stop();
  }

  /** Every song, by title. */
  async songs(): Promise<readonly KnownSong[]> {
    const headers = { authorization: `Bearer ${administrator.apiKey}` };
    const { song } = await this.journey.json<{ song: KnownSong[] }>('/rest/8/json/songs', { limit: '1000' }, { headers });
    return song;
  }

  /** The queue that the administrator's devices share. */
  queue(): Promise<{ readonly position_ms: number; readonly context: string }> {
    return this.journey.json('/rest/8/json/play_queue', {}, { headers: { authorization: `Bearer ${administrator.apiKey}` } });
  }

  /** Opens a page of a size on which nobody is signed in. */
  async visit(options: BrowserContextOptions & { readonly width?: number; readonly height?: number } = {}): Promise<Listener> {
    const { width = 1280, height = 800, ...more } = options;
    const tab = await openTab(this.browser, width, height, { locale: 'en', ...more });
    await tab.page.addInitScript(NOTE_SOUNDS);
    return new Listener(tab, this);
  }

  /** Opens a page on which the administrator has signed in. */
  async signedIn(options: Parameters<WebPageWorld['visit']>[0] = {}): Promise<Listener> {
    const listener = await this.visit(options);
    await listener.open('/');
    await listener.signIn();
    return listener;
  }
}

/** The rules of axe that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** A silence between two sounds. */
export interface Silence {
  readonly ms: number;
  /** How long before the last sound it ended, s: a busy machine may lose the beginning of what is recorded. */
  readonly beforeEndS: number;
}

/** Somebody in front of the page. */
export class Listener {
  constructor(
    readonly tab: Tab,
    private readonly world: WebPageWorld,
  ) {}

  get page(): Page {
    return this.tab.page;
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  get player(): Locator {
    return this.page.getByRole('region', { name: 'Player' });
  }

  /** Goes to a view within the page, so that what plays goes on. */
  async turnTo(view: string): Promise<void> {
    await this.page.evaluate(`void (location.hash = ${JSON.stringify(view)})`);
  }

  /** Loads the page at a view. */
  async open(view: string): Promise<void> {
    // From one view to another a browser would load nothing.
    await this.page.goto('about:blank');
    await this.page.goto(`${this.world.url}/#${view}`);
  }

  /** Fills in the sign-in page, which has been opened. */
  async signIn(name: string = administrator.name, password: string = administrator.password): Promise<void> {
    await this.page.fill('input[name=username]', name);
    await this.page.fill('input[name=password]', password);
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('navigation', { name: 'Main' }).waitFor();
  }

  /** Position of what sounds, s; undefined for silence. */
  async position(): Promise<number | undefined> {
    return (await this.page.evaluate<number | null>(POSITION)) ?? undefined;
  }

  /** Records what the page's media elements sound like from now on. */
  async listen(): Promise<void> {
    await this.page.evaluate(RECORD);
  }

  /** Records what the page's own graph of sound sends to the sound card, from its making on. */
  async listenToGraph(): Promise<void> {
    await this.page.evaluate(RECORD_GRAPH);
  }

  /** Media elements that sound. */
  async sounding(): Promise<number> {
    return this.page.evaluate('[...window.sounds].filter((one) => !one.paused && !one.muted && one.readyState > 2).length');
  }

  /** Silences of more than a millisecond between the first and the last sound since {@link listen}; the loudest sample; how long it sounded, s. */
  async heard(): Promise<{ readonly silences: readonly Silence[]; readonly peak: number; readonly soundS: number }> {
    return this.page.evaluate(HEARD);
  }

  /** Waits until a view has been shown. */
  async shown(): Promise<void> {
    await until(
      this.tab,
      `document.querySelector('main h1')?.checkVisibility() && !document.querySelector('main').innerText.includes('Loading …')`,
    );
  }

  /** Complaints of the page, but for calls that are refused while nobody is signed in, and the icon that a browser looks for on the sign-in page. */
  complaints(expected = /status of 401|\/favicon\.ico/): readonly string[] {
    return this.tab.complaints.filter((text) => !expected.test(text));
  }

  /** Addresses of others that the page asked for. */
  elsewhere(): readonly string[] {
    const { origin } = new URL(this.world.url);
    return this.tab.requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith(`blob:${origin}/`) && url !== 'about:blank');
  }

  /** Faults that axe finds in what is shown, or only in its colours: rule and place of each. */
  async faultsAsShown(rules: 'all' | 'colours' = 'all'): Promise<readonly string[]> {
    const axe = new AxeBuilder({ page: this.page }).setLegacyMode();
    const { violations } = await (rules === 'all' ? axe : axe.withRules(COLOUR_RULES)).analyze();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  }

  /** Faults that axe finds in what is shown, in both themes; a theme changes colours only. */
  async faults(): Promise<readonly string[]> {
    await this.page.emulateMedia({ colorScheme: 'light' });
    const light = await this.faultsAsShown();
    await this.page.emulateMedia({ colorScheme: 'dark' });
    return [...light, ...(await this.faultsAsShown('colours')).map((fault) => `dark: ${fault}`)];
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }
}
