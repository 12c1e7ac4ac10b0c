/** The policy of the workspace. The policies of the other pages are checked where they are served. */
import { expect, it } from 'vitest';
import { appContentSecurity } from '../../../api/pages/content-security.ts';

it('the workspace runs its own files alone, and styles that carry the nonce of the answer', () => {
  const policy = appContentSecurity('N0nce');
  const directives = policy.split('; ');
  expect(directives[0]).toBe("default-src 'none'");
  expect(directives).toEqual(
    expect.arrayContaining([
      "script-src 'self'",
      "style-src-elem 'self' 'nonce-N0nce'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]),
  );
  // Styles of single elements, which menus and dialogs set, are all that is not named.
  expect(directives.filter((each) => each.includes('unsafe'))).toEqual(["style-src-attr 'unsafe-inline'"]);
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/u);
});
