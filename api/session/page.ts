/** The login page: plain, without a script. */
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { SESSION_PATH } from '../auth/next-page.ts';
import { API_PREFIX } from '../context.ts';
import type { Identity } from '../auth/identity.ts';

/** What a browser may do with the page: show it, and send its form to us. */
export const LOGIN_CONTENT_SECURITY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Page = HtmlEscapedString | Promise<HtmlEscapedString>;

/**
 * The page.
 *
 * @param view.identity who is logged in; null = the form
 * @param view.problem why a login was refused
 */
export function loginPage(view: {
  readonly identity: Identity | null;
  readonly next: string;
  readonly problem: string | null;
}): Page {
  const { identity, next, problem } = view;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Deckhand</title>
        <style>
          body {
            font:
              16px/1.5 system-ui,
              sans-serif;
            max-width: 30rem;
            margin: 15vh auto 0;
            padding: 0 1rem;
            color: #1c2430;
          }
          input {
            font: inherit;
            width: 100%;
            box-sizing: border-box;
            padding: 0.5rem;
            margin: 0.25rem 0 1rem;
          }
          button {
            font: inherit;
            padding: 0.5rem 1.25rem;
          }
          [role='alert'] {
            color: #a4262c;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>Deckhand</h1>
          ${problem === null ? '' : html`<p role="alert">${problem}</p>`}
          ${identity === null ? loginForm(next) : loggedIn(identity)}
        </main>
      </body>
    </html>`;
}

const loginForm = (next: string): Page =>
  html`<form method="post" action="${SESSION_PATH}">
      <label for="key">API key</label>
      <input
        id="key"
        name="key"
        type="password"
        autocomplete="current-password"
        required
        autofocus
        spellcheck="false"
      />
      <input type="hidden" name="next" value="${next}" />
      <button>Log in</button>
    </form>
    <p>
      An operator makes a key with <code>./deckhand keys create</code>. The key of the machine that Deckhand runs on is
      in the file <code>keys/operator.key</code> of its data directory.
    </p>`;

/** Links to other pages; alerts are for operators only. */
const links = ({ role }: Identity): Page =>
  html`<p>
    <a href="${API_PREFIX}/costs?format=html">Costs</a>
    ${role === 'operator' ? html` · <a href="${API_PREFIX}/alerts?format=html">Alerts and targets</a>` : ''}
  </p>`;

const loggedIn = (identity: Identity): Page =>
  identity.via === 'open'
    ? html`<p>This installation asks for no keys. You may do everything.</p>
        ${links(identity)}`
    : html`<p>Logged in with the key “${identity.name}” (${identity.role}, tenant ${identity.tenantId}).</p>
        ${links(identity)}
        <form method="post" action="${SESSION_PATH}/end"><button>Log out</button></form>`;
