import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Names under which Chromium goes. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];
/** Time that Chromium may take to open its debugging port, ms. */
const STARTS_WITHIN_MS = 15_000;

/** The Chromium of this machine; undefined when there is none. */
export const findChromium = async (): Promise<string | undefined> => {
  for (const program of PROGRAMS) {
    const found = await promisify(execFile)(program, ['--version']).then(
      () => true,
      () => false,
    );
    if (found) return program;
  }
  return undefined;
};

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** A page in a browser, driven over the DevTools protocol. */
export class Tab {
  /** Errors of scripts and violations of the content security policy. */
  readonly complaints: string[] = [];
  /** Addresses that the page asked for. */
  readonly requests: string[] = [];
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private lastId = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.receive(JSON.parse(String(data)) as Reply));
  }

  /** Opens an empty page of a size. */
  static async open(door: string, widthPx: number, heightPx: number): Promise<Tab> {
    const answer = (await (await fetch(`${door}/json/new?about:blank`, { method: 'PUT' })).json()) as { webSocketDebuggerUrl: string };
    const socket = new WebSocket(answer.webSocketDebuggerUrl);
    await once(socket, 'open');
    const tab = new Tab(socket);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await tab.send(`${domain}.enable`);
    await tab.send('Emulation.setDeviceMetricsOverride', { width: widthPx, height: heightPx, deviceScaleFactor: 1, mobile: widthPx < 600 });
    return tab;
  }

  /** Goes to an address and waits until everything in it is there. */
  async goTo(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
    await this.until(`document.readyState === 'complete' && location.href !== 'about:blank'`);
  }

  /** The value of an expression in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const { result } = (await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })) as {
      result: { value?: unknown };
    };
    return result.value;
  }

  /** Waits until an expression is true. */
  async until(expression: string, timeoutMs = 10_000): Promise<void> {
    const endMs = Date.now() + timeoutMs;
    while ((await this.evaluate(expression)) !== true) {
      if (Date.now() > endMs) throw new Error(`never true in the page: ${expression}`);
      await delay(50);
    }
  }

  /** A picture of what is seen, PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  private async send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    this.lastId += 1;
    const id = this.lastId;
    const reply = await new Promise<Reply>((resolve) => {
      this.waiting.set(id, resolve);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
    return reply.result ?? {};
  }

  private receive(reply: Reply): void {
    if (reply.id !== undefined) {
      this.waiting.get(reply.id)?.(reply);
      this.waiting.delete(reply.id);
    }
    const { method, params = {} } = reply;
    if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params['exceptionDetails']));
    if (method === 'Log.entryAdded') this.complaints.push((params['entry'] as { text: string }).text);
    if (method === 'Network.requestWillBeSent') this.requests.push((params['request'] as { url: string }).url);
  }
}

/** A headless Chromium with a profile of its own. */
export class Browser {
  private constructor(
    private readonly process: ChildProcess,
    private readonly profile: string,
    private readonly door: string,
  ) {}

  /** Starts a Chromium. */
  static async start(program: string): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'continuo-browser-'));
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--mute-audio', '--no-first-run', '--disable-background-networking'];
    const child = spawn(program, [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'], { stdio: 'ignore' });
    const endMs = Date.now() + STARTS_WITHIN_MS;
    for (;;) {
      const port = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').then(
        (text) => text.split('\n')[0],
        () => undefined,
      );
      if (port !== undefined && port !== '') return new Browser(child, profile, `http://127.0.0.1:${port}`);
      if (Date.now() > endMs || child.exitCode !== null) throw new Error('Chromium does not start');
      await delay(50);
    }
  }

  /** An empty page of a size. */
  tab(widthPx: number, heightPx: number): Promise<Tab> {
    return Tab.open(this.door, widthPx, heightPx);
  }

  /** Ends the browser and deletes its profile. */
  async stop(): Promise<void> {
    if (this.process.exitCode === null) {
      const gone = once(this.process, 'exit');
      this.process.kill();
      await gone;
    }
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
