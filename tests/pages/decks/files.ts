/** Files as a browser gets them, for tests that add decks. */
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { plainDeck } from '../../../testing/plain-deck.ts';
import type { Workspace } from '../support/workspace.ts';

/** A file to choose or to drop. */
export interface PageFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A deck of its own for each company. */
export const deckFile = async (company: string, name = `${company}.pdf`): Promise<PageFile> => ({
  name,
  mimeType: 'application/pdf',
  buffer: await plainDeck(company),
});

/** A file that only its name makes a PDF. */
export const textFile = (name: string): PageFile => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('This is a text.'),
});

/** Holds files over the page, then drops them unless `hold`. */
export async function dropFiles(page: Page, files: readonly PageFile[], then: 'drop' | 'hold' = 'drop'): Promise<void> {
  const sent = files.map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') }));
  // As text: the types of a browser's page are not those of this process.
  const transfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of ${JSON.stringify(sent)}) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: 'application/pdf' }));
      }
      return transfer;
    })()`,
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  if (then === 'drop') await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

/** A PDF that no program can read. */
export const brokenFile = (name: string): PageFile => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7\nnothing of a PDF follows'),
});

/** Stores a deck without the browser. Returns its id. */
export async function storeFile({ url, key }: Workspace, { name, mimeType, buffer }: PageFile): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/api/v1/decks`, { method: 'POST', headers, body });
  const { id } = z.object({ id: z.string() }).parse(await response.json());
  return id;
}

/** Waits for the end of a review. */
export async function ended({ client }: Workspace, analysisId: string): Promise<void> {
  for await (const event of client.events(analysisId)) if (event.type === 'finished') break;
}
