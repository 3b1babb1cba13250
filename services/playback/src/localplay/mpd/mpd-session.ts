import { connect, type Socket } from 'node:net';
import { Rejection } from '@continuo/contracts';
import { LineReader } from './line-reader.js';
import { mpdCommand, pairOf, refusalOf, type MpdPair, type MpdRefusal } from './mpd-text.js';

/** Address and password of an MPD. */
export interface MpdSettings {
  /** Name or address of a host, or the path of a socket. */
  readonly host: string;
  readonly port: number;
  readonly password?: string | undefined;
  /** For one visit: connecting, asking, being answered. */
  readonly timeoutMs: number;
}

/** MPD would not do a command. */
export class MpdRefused extends Error {
  override readonly name = 'MpdRefused';
  constructor(readonly refusal: MpdRefusal) {
    super(refusal.message);
  }
}

/** An open connection. */
export interface MpdSession {
  /**
   * Sends commands as one list, so that nobody else's come between them, and answers what each of them said. None after one that is refused is done.
   * @throws MpdRefused
   */
  run(...commands: readonly string[]): Promise<MpdPair[][]>;
}

/** No queue that MPD takes is longer in text. */
const REPLY_BYTES = 32 * 1024 * 1024;
const GREETING = /^OK MPD \d+\.\d+/;

const unreachable = ({ host, port }: MpdSettings, cause: unknown): Rejection => {
  const where = host.startsWith('/') ? host : `${host}:${port}`;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Rejection('player.unreachable', `MPD at ${where} does not answer: ${why}`, undefined, { cause });
};

const readReply = async (lines: LineReader, commandCount: number): Promise<MpdPair[][]> => {
  const replies: MpdPair[][] = [[]];
  for (;;) {
    const line = await lines.next();
    if (line === 'OK') return replies.slice(0, commandCount);
    const refusal = refusalOf(line);
    if (refusal) throw new MpdRefused(refusal);
    if (line === 'list_OK') {
      replies.push([]);
      continue;
    }
    const pair = pairOf(line);
    if (!pair) throw new Error(`it says ${JSON.stringify(line.slice(0, 80))}, which is not its protocol`);
    replies.at(-1)?.push(pair);
  }
};

const sessionOver = async (socket: Socket, lines: LineReader, password: string | undefined): Promise<MpdSession> => {
  const greeting = await lines.next();
  if (!GREETING.test(greeting)) throw new Error('what answers there is no MPD');
  const run: MpdSession['run'] = async (...commands) => {
    socket.write(`command_list_ok_begin\n${commands.map((command) => `${command}\n`).join('')}command_list_end\n`);
    return readReply(lines, commands.length);
  };
  if (password !== undefined) {
    try {
      await run(mpdCommand('password', password));
    } catch (error) {
      // Whatever follows would be refused, too; what the operator has to correct is this.
      throw error instanceof MpdRefused ? new Error('it does not take the password') : error;
    }
  }
  return { run };
};

/**
 * Visits MPD: opens a connection, does the work, closes it. A connection that stays would have to be kept alive, and to be given up when the server is
 * started anew; on the same machine or network opening one costs about a millisecond.
 * @throws Rejection `player.unreachable` when it cannot be reached, does not speak its protocol, takes too long, or refuses the password or what the work
 * does not expect to be refused
 */
export const visitMpd = async <T>(settings: MpdSettings, work: (session: MpdSession) => Promise<T>): Promise<T> => {
  const { host, port, password, timeoutMs } = settings;
  const socket = host.startsWith('/') ? connect({ path: host }) : connect({ host, port });
  const lines = new LineReader(socket, REPLY_BYTES);
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await work(await sessionOver(socket, lines, password));
  } catch (error) {
    if (error instanceof Rejection) throw error;
    throw unreachable(settings, error);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
};
