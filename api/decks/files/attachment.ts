/** The header that has a browser save an answer as a file (RFC 6266). */

/** Controls, and marks that change the order in which a name is shown. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu;
/** Characters that a file system takes for something else than a name. */
const NOT_IN_NAMES = /[/\\:*?"<>|]/gu;
/** What `encodeURIComponent` leaves and RFC 8187 does not allow. */
const NOT_IN_VALUES = /['()*]/gu;

/** A name of a file that a stranger chose, as one that can be saved anywhere. */
function savedName(name: string, extension: string): string {
  const clean = name.toWellFormed().normalize('NFC').replaceAll(UNSEEN, '').replaceAll(NOT_IN_NAMES, '_').trim();
  const shown = clean.replace(/^\.+/u, '');
  const base = shown === '' ? 'deck' : shown;
  return base.toLowerCase().endsWith(extension) ? base : `${base}${extension}`;
}

/**
 * Value of `Content-Disposition` for a file to save: the name in ASCII for old clients, and the name itself.
 *
 * @param extension with its dot, in lower case; added where the name lacks it
 * @example attachment('Größe.pdf', '.pdf') → attachment; filename="Gr__e.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf
 */
export function attachment(name: string, extension: string): string {
  const saved = savedName(name, extension);
  const ascii = saved.replaceAll(/[^\x20-\x7e]|[%]/gu, '_');
  const encoded = encodeURIComponent(saved).replaceAll(
    NOT_IN_VALUES,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
