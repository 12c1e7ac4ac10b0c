/** Which PDFs of a form are a cover that asks for another viewer, and which show their content. */
import { expect, it } from 'vitest';
import { coverOf } from '../../../activities/convert/render/covers.ts';

const read = (text: string, bytes = '') =>
  coverOf({
    bytes: Buffer.from(bytes),
    pageCount: 1,
    isCollection: false,
    hasAttachments: false,
    hasXfa: true,
    firstText: () => text,
  });

const WAIT =
  'Please wait… your PDF viewer may not be able to display this document. Upgrade to the latest Adobe Reader.';
const CONTENT = 'Membership form of a village paper that every reader of a village paper likes to have.';

it('a form whose page asks for another viewer is a cover', async () => {
  expect(await read(WAIT)).toBe('xfa_form');
  expect(await read(`${WAIT} ${'Trade marks of their owners. '.repeat(18)}`)).toBe('xfa_form');
  expect(await read('Bitte öffnen Sie das Formular in einem anderen PDF-Betrachter.')).toBe('xfa_form');
});

it('a form that has to be drawn by a program is a cover, whatever its page says', async () =>
  expect(await read(CONTENT, '<</Type/Catalog/NeedsRendering true>>')).toBe('xfa_form'));

it('a form whose page has content is no cover, though it speaks of readers or names a program', async () => {
  expect(await read(CONTENT)).toBeNull();
  expect(
    await read(`${'The committee pays for the print of each issue. '.repeat(20)} Made with Adobe InDesign.`),
  ).toBeNull();
});
