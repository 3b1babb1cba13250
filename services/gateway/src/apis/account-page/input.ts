import { emailAddress, Rejection } from '@continuo/contracts';

const MAX_TEXT = 255;
const LEAST_PASSWORD = 8;

/** Parses an account name. @throws Rejection `input.invalid` */
export const accountName = (text: string): string => {
  const name = text.trim();
  // A name of digits alone would be read as an id.
  if (name === '' || name.length > 128 || /\p{C}/u.test(name) || /^\d+$/.test(name))
    throw new Rejection('input.invalid', 'A user name has 1 to 128 characters and is not all digits.', 'username');
  return name;
};

/** Parses a mail address; empty is allowed. @throws Rejection `input.invalid` */
export const mailAddress = (text: string): string => {
  if (text === '') return '';
  const parsed = emailAddress.safeParse(text);
  if (!parsed.success) throw new Rejection('input.invalid', 'This is not a mail address.', 'email');
  return parsed.data;
};

/** Parses a short single-line text. @throws Rejection `input.invalid` */
export const shortText = (text: string, name: string): string => {
  if (text.length > MAX_TEXT || /\p{Cc}/u.test(text)) throw new Rejection('input.invalid', `The ${name} is too long.`, name);
  return text;
};

/** Parses an http(s) address; empty is allowed. @throws Rejection `input.invalid` */
export const website = (text: string): string => {
  if (text === '') return '';
  const url = URL.parse(text);
  if ((url?.protocol !== 'https:' && url?.protocol !== 'http:') || text.length > MAX_TEXT)
    throw new Rejection('input.invalid', 'A website begins with https:// or http://.', 'website');
  return text;
};

/** Checks a new password against its repetition. @throws Rejection `input.invalid` */
export const chosenPassword = (password: string, again: string): string => {
  if (password.length < LEAST_PASSWORD)
    throw new Rejection('input.invalid', `A password has at least ${LEAST_PASSWORD} characters.`, 'password');
  if (password !== again) throw new Rejection('input.invalid', 'The two passwords differ.', 'again');
  return password;
};
