import { createTransport } from 'nodemailer';
import { Rejection } from '@continuo/contracts';

/** One mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mails. */
export interface Mailer {
  /** @throws Rejection `unavailable` when the mail server does not take it */
  send(mail: Mail): Promise<void>;
}

/** How mails are sent. */
export interface MailSettings {
  /** `smtp://` or `smtps://` with user, password, host and port. */
  readonly url: string;
  /** Who they come from. */
  readonly from: string;
}

const TIMEOUT_MS = 10_000;

/** A mailer over SMTP. */
export const smtpMailer = ({ url, from }: MailSettings): Mailer => {
  const transport = createTransport(
    {
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    send: async ({ to, subject, text }) => {
      try {
        // As an object the address is taken as one, whatever commas and brackets it holds.
        await transport.sendMail({ to: { name: '', address: to }, subject, text });
      } catch (cause) {
        throw new Rejection('unavailable', 'the mail server did not take the mail', undefined, { cause });
      }
    },
  };
};
