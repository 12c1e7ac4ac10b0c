/** Copies a text. */

/** Puts a text on the clipboard; false where the browser does not let the page do it. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers offer the clipboard to pages of this machine and of HTTPS only.
  if ('clipboard' in navigator) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'fixed -top-96';
  document.body.append(area);
  area.select();
  // Deprecated, and the only way there is for pages over plain HTTP.
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
