import type { Transporter } from 'nodemailer';
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

/** Settings of the mailer. */
export interface MailSettings {
  /** `smtp://` or `smtps://` with user, password, host and port. */
  readonly url: string;
  /** Sender of the mails. */
  readonly from: string;
}

const TIMEOUT_MS = 10_000;

/** A mailer over SMTP. Its client is loaded with the first mail: few servers send any. */
export const smtpMailer = (settings: MailSettings): Mailer => {
  let transport: Promise<Transporter> | undefined;
  return {
    send: async ({ to, subject, text }) => {
      try {
        transport ??= openTransport(settings);
        // As an object the address is taken as one, whatever commas and brackets it holds.
        await (await transport).sendMail({ to: { name: '', address: to }, subject, text });
      } catch (cause) {
        throw new Rejection('unavailable', 'the mail server did not take the mail', undefined, { cause });
      }
    },
  };
};

const openTransport = async ({ url, from }: MailSettings): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer');
  return createTransport(
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
};
