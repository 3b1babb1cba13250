import { emailAddress, Rejection } from '@continuo/contracts';

const MAX_TEXT = 255;
const LEAST_PASSWORD = 8;

/** A name that an account can have. @throws Rejection `input.invalid` */
export const accountName = (text: string): string => {
  const name = text.trim();
  // All digits would be read as a number wherever an account is named.
  if (name === '' || name.length > 128 || /\p{C}/u.test(name) || /^\d+$/.test(name))
    throw new Rejection('input.invalid', 'A user name has 1 to 128 characters and is not all digits.', 'username');
  return name;
};

/** A mail address, or nothing. @throws Rejection `input.invalid` */
export const mailAddress = (text: string): string => {
  if (text === '') return '';
  const parsed = emailAddress.safeParse(text);
  if (!parsed.success) throw new Rejection('input.invalid', 'This is not a mail address.', 'email');
  return parsed.data;
};

/** Short text on one line. @throws Rejection `input.invalid` */
export const shortText = (text: string, name: string): string => {
  if (text.length > MAX_TEXT || /\p{Cc}/u.test(text)) throw new Rejection('input.invalid', `The ${name} is too long.`, name);
  return text;
};

/** The address of somebody's own page: of the web, or nothing. @throws Rejection `input.invalid` */
export const website = (text: string): string => {
  if (text === '') return '';
  const url = URL.parse(text);
  if ((url?.protocol !== 'https:' && url?.protocol !== 'http:') || text.length > MAX_TEXT)
    throw new Rejection('input.invalid', 'A website begins with https:// or http://.', 'website');
  return text;
};

/** A password that somebody chose, typed twice. @throws Rejection `input.invalid` */
export const chosenPassword = (password: string, again: string): string => {
  if (password.length < LEAST_PASSWORD)
    throw new Rejection('input.invalid', `A password has at least ${LEAST_PASSWORD} characters.`, 'password');
  if (password !== again) throw new Rejection('input.invalid', 'The two passwords differ.', 'again');
  return password;
};
