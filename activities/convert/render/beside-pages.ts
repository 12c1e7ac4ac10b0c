/**
 * Words of a file that stand on no page: information of the document, annotations, alternative text. They are part of no prompt and no
 * evidence. They are only looked at for attempts to steer a score, because other readers of the file do see them.
 */
import type { DocumentMetadata, PdfPage } from './pdfjs.ts';

/** Texts of the information of a document and of its XMP packet. */
export function textsOfMetadata({ info, metadata }: DocumentMetadata): string[] {
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
export function textsOfAnnotations(annotations: readonly object[]): string[] {
  return (annotations as readonly AnnotationTexts[])
    .flatMap((one) => [one.contentsObj?.str, one.titleObj?.str, one.richText?.str, one.alternativeText, one.fieldValue])
    .filter((value) => typeof value === 'string');
}

/** Null for a page without one, which the package's types leave out. */
type StructTree = Awaited<ReturnType<PdfPage['getStructTree']>> | null;
type StructNode = NonNullable<StructTree>;

/** Texts that replace a page's pictures, or its words, for those who cannot see them. */
export function* alternativeTexts(tree: StructTree): Generator<string> {
  const open: (StructNode | StructNode['children'][number])[] = tree === null ? [] : [tree];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!('children' in next)) continue;
    if ('alt' in next && typeof next.alt === 'string') yield next.alt;
    open.push(...next.children);
  }
}
