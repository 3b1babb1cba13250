import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps what it is given. */
export interface MailCatcher {
  /** For `SMTP_URL`. */
  readonly url: string;
  /** Texts of the mails to one address, oldest first, with soft line breaks undone. */
  to(address: string): readonly string[];
  all(): readonly string[];
  stop(): Promise<void>;
}

const unfolded = (mail: string): string => mail.replaceAll('\r\n', '\n').replaceAll('=\n', '').replaceAll('=3D', '=');

/** Starts one on a free port of this machine. */
export const mailCatcher = async (): Promise<MailCatcher> => {
  const caught: { readonly to: readonly string[]; readonly text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const keep = async (): Promise<void> => {
        caught.push({ to, text: unfolded(await text(stream)) });
      };
      keep().then(() => done(), done);
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    to: (address) => caught.filter(({ to }) => to.includes(address)).map((mail) => mail.text),
    all: () => caught.map((mail) => mail.text),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
};
