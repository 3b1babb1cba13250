import { html, type Markup } from '../markup.js';
import { pageShell, type Notice, type Shell } from '../page-shell.js';

/** Data of the sign-in page. */
export interface SignInPage {
  readonly csrfToken: string;
  /** Label of the identity provider's button; undefined without one. */
  readonly providerName: string | undefined;
  readonly username?: string;
  readonly notice?: Notice | undefined;
  /** True while nobody has ever signed in. */
  readonly isNew?: boolean;
}

const providerButton = (name: string): Markup =>
  html`<p class="or">or</p>
    <a class="button plain wide" href="provider">Sign in with ${name}</a>`;

/** The sign-in page. */
export const signInPage = ({ csrfToken, providerName, username = '', notice, isNew = false }: SignInPage): Shell =>
  pageShell({
    title: 'Sign in',
    small: true,
    notice,
    body: html`<section class="card">
      <h1>Sign in</h1>
      <form method="post" action="login">
        <input type="hidden" name="mark" value="${csrfToken}" />
        <label
          >User name
          <input
            name="username"
            required
            maxlength="128"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            value="${username}"
        /></label>
        <label>Password <input name="password" type="password" required maxlength="1024" autocomplete="current-password" /></label>
        <button class="wide">Sign in</button>
      </form>
      ${providerName !== undefined && providerButton(providerName)}
      ${isNew && html`<p>This server is new. <a href="setup">Set it up</a> with the code that its first start has printed.</p>`}
      <p class="dim"><a href="lost">I have lost my password</a></p>
    </section>`,
  });

/** Fields of {@link setupPage} that are filled in. */
export interface SetupPage {
  readonly csrfToken: string;
  readonly username: string;
  /** Name that the first administrator chooses; undefined where nobody does. */
  readonly name: string | undefined;
  readonly code: string;
  readonly notice?: Notice | undefined;
}

/** Form that gives an account a password in place of the code that it was made with. A GET changes nothing. */
export const setupPage = ({ csrfToken, username, name, code, notice }: SetupPage): Shell =>
  pageShell({
    title: 'Welcome',
    small: true,
    notice,
    body: html`<section class="card">
      <h1>Welcome</h1>
      <p>Choose the password of your account. Players use it, too; the code stops working.</p>
      <form method="post" action="setup">
        <input type="hidden" name="mark" value="${csrfToken}" />
        <label
          >User name
          <input
            name="username"
            required
            maxlength="128"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            value="${username}"
        /></label>
        <label>Code <input name="code" required maxlength="1024" autocomplete="off" spellcheck="false" value="${code}" /></label>
        ${
          name !== undefined &&
          html`<label
            >New user name
            <input name="name" maxlength="128" autocomplete="username" autocapitalize="none" spellcheck="false" value="${name}"
          /></label>`
        }
        <label>New password <input name="password" type="password" required maxlength="1024" autocomplete="new-password" /></label>
        <label>Once more <input name="again" type="password" required maxlength="1024" autocomplete="new-password" /></label>
        <button class="wide">Begin</button>
      </form>
    </section>`,
  });

/** Form that requests a password-reset mail. Its answer is the same whether the account exists or not. */
export const lostPasswordPage = (csrfToken: string, notice?: Notice): Shell =>
  pageShell({
    title: 'Lost password',
    small: true,
    notice,
    body: html`<section class="card">
      <h1>Lost password</h1>
      <p class="dim">If there is an account of this name with this address, a mail with a link goes there.</p>
      <form method="post" action="lost">
        <input type="hidden" name="mark" value="${csrfToken}" />
        <label
          >User name <input name="username" required maxlength="128" autocomplete="username" autocapitalize="none" spellcheck="false"
        /></label>
        <label>Mail address <input name="email" type="email" required maxlength="255" autocomplete="email" /></label>
        <button class="wide">Send the mail</button>
      </form>
      <p class="dim"><a href="login">Back</a></p>
    </section>`,
  });

/** Form that the reset mail links to. A GET changes nothing, so that link scanners do not use up the token. */
export const recoverPage = (csrfToken: string, token: string): Shell =>
  pageShell({
    title: 'A new password',
    small: true,
    body: html`<section class="card">
      <h1>A new password</h1>
      <p>A new password goes to your mail address. The present one stops working then, and you are signed out everywhere.</p>
      <form method="post" action="recover">
        <input type="hidden" name="mark" value="${csrfToken}" />
        <label>Token from the mail <input name="token" required maxlength="128" autocomplete="off" value="${token}" /></label>
        <button class="wide">Send me a new password</button>
      </form>
    </section>`,
  });

/** A page with one message and a link. */
export const noticePage = (title: string, text: string, kind: Notice['kind'] = 'bad'): Shell =>
  pageShell({
    title,
    small: true,
    body: html`<section class="card">
      <h1>${title}</h1>
      <p role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>
      <a class="button plain" href="login">Sign in</a>
    </section>`,
  });

/**
 * Page that leads on to the identity provider after a form. A redirect would belong to the form, and the browser would stop it wherever the provider leads on to the pages of another one.
 */
export const toProviderPage = (url: string): Shell =>
  pageShell({
    title: 'Single sign-on',
    small: true,
    leadsTo: url,
    body: html`<section class="card"><a class="button wide" href="${url}">Go on to the identity provider</a></section>`,
  });
