/**
 * What a browser may do with what the API answers (Content Security Policy). Nothing loads from another host, nothing runs that is not a file
 * of the workspace, and no page of another site may frame one of ours.
 */
import { createHash } from 'node:crypto';

/** Directives in order; the name first. */
const policyOf = (...directives: readonly string[]): string => directives.join('; ');

const NO_FRAME = ["frame-ancestors 'none'", "base-uri 'none'"] as const;

/** Of a page without script: it shows its text and pictures. */
interface DocumentRules {
  /** Text of its one style element. */
  readonly style: string;
  /** Its forms are sent to us; by default it has none. */
  readonly hasForms?: boolean;
}

/** The policy of a page without script. Only the style sheet that it was made with applies. */
export function documentContentSecurity({ style, hasForms = false }: DocumentRules): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return policyOf(
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src 'self' data:",
    `form-action ${hasForms ? "'self'" : "'none'"}`,
    ...NO_FRAME,
  );
}

/**
 * The policy of the workspace. Its menus and dialogs write style elements, which carry the nonce, and style attributes.
 *
 * @param nonce of this answer; the page names it too
 */
export function appContentSecurity(nonce: string): string {
  return policyOf(
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    ...NO_FRAME,
  );
}

/** The policy of a file that a stranger made: it is only saved. */
export const FILE_CONTENT_SECURITY = policyOf('sandbox', "default-src 'none'", ...NO_FRAME);
