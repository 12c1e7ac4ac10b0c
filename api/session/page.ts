/** The sign-in page: plain, without a script, in the language of the browser. */
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Language } from '../../domain/models/model-tasks.ts';
import { START_PAGE } from '../auth/access-rules.ts';
import type { Identity } from '../auth/identity.ts';
import { SESSION_PATH } from '../auth/next-page.ts';
import { API_PREFIX } from '../context.ts';
import { SIGN_IN_WORDS, type SignInProblem } from './words.ts';

/** Style sheet of the page. */
export const SIGN_IN_STYLE = `
:root { color-scheme: light dark; --ink: #1b2330; --soft: #566074; --line: #8a93a5; --page: #f5f6f9; --card: #fff; --link: #1d5fbf; --weak: #b3362b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a2abbb; --line: #6c7587; --page: #12161d; --card: #1b212b; --link: #7db1ff;
  --weak: #f08a7f; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 12vh 1rem 2rem; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
a { color: var(--link); }
label { display: block; font-weight: 600; }
input, button { font: inherit; border-radius: .4rem; border: 1px solid var(--line); padding: .55rem .75rem; color: inherit; background: var(--card); }
input { width: 100%; margin: .3rem 0 1rem; }
button { background: var(--link); border-color: var(--link); color: var(--card); font-weight: 600; padding: .55rem 1.25rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
[role='alert'] { color: var(--weak); }
.soft { color: var(--soft); font-size: .9rem; margin-top: 1.5rem; }
.soft code { display: block; margin: .2rem 0 .8rem; }
`;

type Page = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What the page shows. */
interface SignInView {
  readonly language: Language;
  /** Who is signed in; null = the form. */
  readonly identity: Identity | null;
  /** Page of ours that follows. */
  readonly next: string;
  /** Why a sign-in was refused. */
  readonly problem: SignInProblem | null;
}

/** The page. */
export function signInPage(view: SignInView): Page {
  const { language, identity, problem } = view;
  const words = SIGN_IN_WORDS[language];
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${words.title} · Deckhand</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        ${raw(`<style>${SIGN_IN_STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>Deckhand</h1>
          ${problem === null ? '' : html`<p role="alert">${words.problems[problem]}</p>`}
          ${identity === null ? signInForm(view) : signedIn(view, identity)}
        </main>
      </body>
    </html>`;
}

function signInForm({ language, next }: SignInView): Page {
  const words = SIGN_IN_WORDS[language];
  return html`<form method="post" action="${SESSION_PATH}">
      <label for="key">${words.key}</label>
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
      <button>${words.signIn}</button>
    </form>
    <div class="soft">
      ${words.makeKey} <code>./deckhand keys create</code> ${words.makeLink}
      <code>./deckhand open</code> ${words.ownKey} <code>keys/operator.key</code>
    </div>`;
}

/** Links to the pages; alerts are for operators only. */
function links({ language }: SignInView, { role }: Identity): Page {
  const words = SIGN_IN_WORDS[language];
  return html`<p>
    <a href="${START_PAGE}">${words.workspace}</a> ·
    <a href="${API_PREFIX}/costs?format=html">${words.costs}</a>
    ${role === 'operator' ? html` · <a href="${API_PREFIX}/alerts?format=html">${words.alerts}</a>` : ''}
  </p>`;
}

function signedIn(view: SignInView, identity: Identity): Page {
  const words = SIGN_IN_WORDS[view.language];
  const { name, role, tenantId, via } = identity;
  if (via === 'open')
    return html`<p>${words.open}</p>
      ${links(view, identity)}`;
  return html`<p>${words.signedIn(name, role, tenantId)}</p>
    ${links(view, identity)}
    <form method="post" action="${SESSION_PATH}/end"><button>${words.signOut}</button></form>`;
}
