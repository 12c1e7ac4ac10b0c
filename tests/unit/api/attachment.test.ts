/** The header under which a file is saved, whatever the name that a stranger gave it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { attachment } from '../../../api/decks/files/attachment.ts';
import { forAll } from '../../../testing/property.ts';

it.each([
  ['deck.pdf', `attachment; filename="deck.pdf"; filename*=UTF-8''deck.pdf`],
  ['Seed Deck.PDF', `attachment; filename="Seed Deck.PDF"; filename*=UTF-8''Seed%20Deck.PDF`],
  ['Größe.pdf', `attachment; filename="Gr__e.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf`],
  [`it's (v2)*.pdf`, `attachment; filename="it's (v2)_.pdf"; filename*=UTF-8''it%27s%20%28v2%29_.pdf`],
  ['100%.pdf', `attachment; filename="100_.pdf"; filename*=UTF-8''100%25.pdf`],
  ['deck', `attachment; filename="deck.pdf"; filename*=UTF-8''deck.pdf`],
  ['deck.exe', `attachment; filename="deck.exe.pdf"; filename*=UTF-8''deck.exe.pdf`],
  ['../../etc/passwd', `attachment; filename="_.._etc_passwd.pdf"; filename*=UTF-8''_.._etc_passwd.pdf`],
  [
    'a"; filename="b.exe',
    `attachment; filename="a_; filename=_b.exe.pdf"; filename*=UTF-8''a_%3B%20filename%3D_b.exe.pdf`,
  ],
  ['invoice\u202Efdp.exe', `attachment; filename="invoicefdp.exe.pdf"; filename*=UTF-8''invoicefdp.exe.pdf`],
  ['\r\nset-cookie: a=b', `attachment; filename="set-cookie_ a=b.pdf"; filename*=UTF-8''set-cookie_%20a%3Db.pdf`],
  ['...', `attachment; filename="deck.pdf"; filename*=UTF-8''deck.pdf`],
])('a file called %j is saved under a name that any system can have', (name, header) => {
  expect(attachment(name, '.pdf')).toBe(header);
});

it('a file is saved as a PDF in its folder, under whatever name it came', async () => {
  await forAll([fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))], (name) => {
    const header = attachment(name, '.pdf');
    // What a header may hold, with one quoted name and one encoded one.
    expect(header).toMatch(
      /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/u,
    );
    const saved = decodeURIComponent(header.split("''")[1] ?? '');
    expect(saved.toLowerCase()).toMatch(/^[^./\\].*\.pdf$/su);
    expect(saved).not.toMatch(/[/\\\p{Cc}\p{Cf}]/u);
  });
});
