/**
 * Text as shapes: the outlines of its glyphs, for letters that are drawn and not written, and for names that are pictures.
 */
import sharp from 'sharp';

/** What is used of a font that pdfkit opened; its types do not show it. */
interface OpenedFont {
  readonly font: {
    readonly unitsPerEm: number;
    readonly ascent: number;
    glyphsForString(text: string): unknown;
    layout(text: string): {
      readonly glyphs: readonly { readonly path: { scale(x: number, y: number): { toSVG(): string } } }[];
      readonly positions: readonly { readonly xAdvance: number; readonly xOffset: number }[];
    };
  };
}

/** One glyph: the path as SVG writes it, in points with y downwards from the baseline, and its distance from the start. */
export interface Outline {
  readonly path: string;
  readonly x: number;
}

/** The outlines of a text in the current font of a document, which has to be an embedded one, and the height of its capitals' top. */
export function outlinesOf(
  doc: PDFKit.PDFDocument,
  text: string,
  size: number,
  spacing = 0,
): { readonly outlines: readonly Outline[]; readonly width: number; readonly ascent: number } {
  const { font } = (doc as unknown as { readonly _font: OpenedFont })._font;
  const scale = size / font.unitsPerEm;
  // The path of ü opens the glyph of u, which would then be known without its letter, and written without it in all later text.
  font.glyphsForString(text.normalize('NFD'));
  const { glyphs, positions } = font.layout(text);
  let x = 0;
  const outlines = glyphs.map((glyph, index) => {
    const { xAdvance = 0, xOffset = 0 } = positions[index] ?? {};
    const outline = { path: glyph.path.scale(scale, -scale).toSVG(), x: x + xOffset * scale };
    x += xAdvance * scale + spacing;
    return outline;
  });
  return { outlines, width: x, ascent: font.ascent * scale };
}

const PIXELS_PER_POINT = 3;
const PADDING = 6;

/** A text as a picture on a transparent ground, with its size in points. */
export async function pictureOfText(
  doc: PDFKit.PDFDocument,
  text: string,
  size: number,
  color: string,
): Promise<{ readonly png: Buffer; readonly width: number; readonly height: number }> {
  const { outlines, width, ascent } = outlinesOf(doc, text, size);
  const box = { width: width + 2 * PADDING, height: size * 1.4 + 2 * PADDING };
  const paths = outlines.map(
    ({ path, x }) => `<path transform="translate(${PADDING + x} ${PADDING + ascent})" d="${path}"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${box.width * PIXELS_PER_POINT}" height="${box.height * PIXELS_PER_POINT}" viewBox="0 0 ${box.width} ${box.height}" fill="${color}">${paths.join('')}</svg>`;
  return { png: await sharp(Buffer.from(svg)).png().toBuffer(), ...box };
}
