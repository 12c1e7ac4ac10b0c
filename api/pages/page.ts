/** The frame of every HTML page that is made for reading: self-contained, no script, no request to anywhere. */
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import { DeckhandError } from '../../domain/errors.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import { documentContentSecurity } from './content-security.ts';

/** A finished piece of escaped HTML. */
export type Markup = ReturnType<typeof html>;

/** Style of every such page: light and dark by the reader's setting, and fit for paper. */
const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b2330; --soft: #566074; --line: #dde2ea; --page: #f5f6f9; --card: #fff; --link: #1d5fbf;
  --good: #1a7f4b; --medium: #9a6700; --weak: #b3362b; --notice: #fff6dd; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a2abbb; --line: #343c4a; --page: #12161d; --card: #1b212b;
  --link: #7db1ff; --good: #57c98c; --medium: #e0b04b; --weak: #f08a7f; --notice: #332c14; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
section, header.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.25rem; margin: 0 0 1rem; }
.soft { color: var(--soft); font-size: .9rem; }
.notice { background: var(--notice); border-radius: .4rem; padding: .6rem .8rem; margin: .6rem 0; }
.notice.bad { border-left: .3rem solid var(--weak); }
dl.facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .5rem 1.2rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.absent { color: var(--soft); font-style: italic; }
.mark { font-size: .8rem; border: 1px solid currentColor; border-radius: .3rem; padding: 0 .3rem; white-space: nowrap; }
.mark.score { display: inline-block; min-width: 2.6rem; font-size: 1rem; font-weight: 650; text-align: center; border-radius: 1rem; }
.good { color: var(--good); } .medium { color: var(--medium); } .weak { color: var(--weak); } .none { color: var(--soft); }
details { border-top: 1px solid var(--line); padding: .6rem 0; }
details:first-of-type { border-top: 0; }
summary { cursor: pointer; display: flex; gap: .75rem; align-items: baseline; justify-content: space-between; }
@media (max-width: 40rem) { dl.facts { grid-template-columns: 1fr; } dt { margin-top: .4rem; } }
@media print { :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --link: #000; --good: #145c37;
  --medium: #6b4800; --weak: #8a1f16; --notice: #fff; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; } section, header.card { border: 0; padding: 0 0 .6rem; }
  h2, summary { break-after: avoid; } a { text-decoration: none; } }
`;

/** Text of markup that is complete; ours has no parts that come later. */
function finished(markup: Markup): string {
  if (markup instanceof Promise) throw new DeckhandError('internal', 'the page has an unfinished part');
  return markup.toString();
}

/**
 * A whole page.
 *
 * @param style our own style sheet on top of the report's; put in raw
 */
export function htmlPage(page: {
  readonly language: Language;
  readonly title: string;
  readonly body: Markup;
  readonly style?: string;
}): string {
  return finished(
    html`<!doctype html>
      <html lang="${page.language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <title>${page.title}</title>
          ${raw(`<style>${PAGE_STYLE}${page.style ?? ''}</style>`)}
        </head>
        <body>
          ${page.body}
        </body>
      </html>`,
  );
}

/** The style element that a page begins with; what stands before it holds no tag of a stranger. */
const OWN_STYLE = /<style>(.*?)<\/style>/su;

/** Answers with such a page. */
export function answerPage(c: Context, page: string) {
  const style = OWN_STYLE.exec(page)?.[1] ?? '';
  c.header('content-security-policy', documentContentSecurity({ style }));
  return c.html(page, 200);
}
