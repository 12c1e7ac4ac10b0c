/** What in a deck could do harm elsewhere, and the words beside its pages. */
import {
  MAX_BESIDE_PAGES_LENGTH,
  type BesidePages,
  type BesidePagesPlace,
  type Hazard,
  type KnownHazard,
} from './messages.ts';
import type { DocumentMetadata, PdfDocument, PdfPage } from './pdfjs.ts';

/** Collects the hazards of one document. A damaged structure makes its own hazard unknown and nothing else. */
export class HazardNotes {
  readonly #found = new Set<Hazard>();
  readonly #besidePages = new Map<string, BesidePages[number]>();
  #lengthLeft = MAX_BESIDE_PAGES_LENGTH;

  /** Asks one question by itself. */
  async note(hazard: KnownHazard, ask: () => boolean | Promise<boolean>): Promise<void> {
    if (this.#found.has(hazard)) return;
    try {
      if (await ask()) this.#found.add(hazard);
    } catch {
      this.#found.add(`${hazard}_unknown`);
    }
  }

  /** True for a hazard that was found. */
  has(hazard: KnownHazard): boolean {
    return this.#found.has(hazard);
  }

  /** Collects words that stand on no page. Whether they steer is unknown where they cannot be read, and where there are too many. */
  collect(place: BesidePagesPlace, ask: () => Iterable<string> | Promise<Iterable<string>>): Promise<void> {
    return this.note(`steering_in_${place}`, async () => {
      for (const text of await ask()) this.#add(place, text);
      return false;
    });
  }

  #add(place: BesidePagesPlace, text: string): void {
    const key = `${place}: ${text}`;
    if (text.trim() === '' || this.#besidePages.has(key)) return;
    if (text.length > this.#lengthLeft) throw new Error('there are too many words beside the pages');
    this.#lengthLeft -= text.length;
    this.#besidePages.set(key, { place, text });
  }

  /** What was found, without what the words beside the pages say, and these words, each text of a place once. */
  all(): { readonly hazards: Hazard[]; readonly besidePages: BesidePages } {
    return { hazards: [...this.#found], besidePages: [...this.#besidePages.values()] };
  }
}

/** Entries of the document's information that are looked at by name. */
interface DocumentInfo {
  readonly EncryptFilterName?: unknown;
  readonly IsXFAPresent?: unknown;
}

/**
 * Notes what the document as a whole has, as pdfjs tells it.
 *
 * @param metadata Null when it cannot be read
 */
export async function noteDocument(
  hazards: HazardNotes,
  document: PdfDocument,
  bytes: Buffer,
  metadata: DocumentMetadata | null,
): Promise<void> {
  const known = (): DocumentMetadata => {
    if (metadata === null) throw new Error('the information of the document cannot be read');
    return metadata;
  };
  const info = (): DocumentInfo => known().info;
  // Actions that pdfjs does not report still show in files whose objects are not compressed, so the bytes are searched as well.
  await hazards.note(
    'javascript',
    async () => bytes.includes('/JavaScript') || (await document.getJSActions()) !== null,
  );
  await hazards.note('launch_action', () => bytes.includes('/Launch'));
  await hazards.note(
    'attachments',
    async () => bytes.includes('/EmbeddedFile') || (await document.getAttachments()) !== null,
  );
  // It opened without a password and is encrypted all the same: then only the owner's permissions are protected.
  await hazards.note('owner_password', () => typeof info().EncryptFilterName === 'string');
  await hazards.note('xfa_form', () => info().IsXFAPresent === true);
  await hazards.collect('metadata', () => textsOfMetadata(known()));
}

/** Notes what a page has, as pdfjs tells it. */
export async function notePage(hazards: HazardNotes, page: PdfPage): Promise<void> {
  let asked: Promise<readonly object[]> | undefined;
  const annotations = (): Promise<readonly object[]> => (asked ??= page.getAnnotations());
  await hazards.note('launch_action', async () => launchesFiles(await annotations()));
  await hazards.collect('annotation', async () => textsOfAnnotations(await annotations()));
  await hazards.collect('alternative_text', async () => alternativeTexts(await page.getStructTree()));
}

/** True for links that open a program or another file on the reader's machine. */
function launchesFiles(annotations: readonly { unsafeUrl?: unknown }[]): boolean {
  return annotations.some(
    ({ unsafeUrl }) => typeof unsafeUrl === 'string' && !/^(https?|mailto|tel|ftp):|^www\.|^#/i.test(unsafeUrl),
  );
}

// Words of a file that stand on no page: information of the document, annotations, alternative text. They are part of no prompt and no
// evidence. They are only looked at for attempts to steer a score, because other readers of the file do see them.

/** Texts of the information of a document and of its XMP packet. */
function textsOfMetadata({ info, metadata }: DocumentMetadata): string[] {
  return [...Object.values(info), ...Array.from(metadata ?? [], ([, value]: [string, unknown]) => value)]
    .flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : [value]))
    .filter((value) => typeof value === 'string');
}

/** Entries of an annotation with words in them, as pdfjs names them. */
interface AnnotationTexts {
  readonly contentsObj?: { readonly str?: unknown };
  readonly titleObj?: { readonly str?: unknown };
  readonly richText?: { readonly str?: unknown } | null;
  readonly alternativeText?: unknown;
  readonly fieldValue?: unknown;
}

/** Texts of the annotations of a page. */
function textsOfAnnotations(annotations: readonly object[]): string[] {
  return (annotations as readonly AnnotationTexts[])
    .flatMap((one) => [one.contentsObj?.str, one.titleObj?.str, one.richText?.str, one.alternativeText, one.fieldValue])
    .filter((value) => typeof value === 'string');
}

/** Null for a page without one, which the package's types leave out. */
type StructTree = Awaited<ReturnType<PdfPage['getStructTree']>> | null;
type StructNode = NonNullable<StructTree>;

/** Texts that replace a page's pictures, or its words, for those who cannot see them. */
function* alternativeTexts(tree: StructTree): Generator<string> {
  const open: (StructNode | StructNode['children'][number])[] = tree === null ? [] : [tree];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!('children' in next)) continue;
    if ('alt' in next && typeof next.alt === 'string') yield next.alt;
    open.push(...next.children);
  }
}
