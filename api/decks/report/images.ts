/** Slide pictures for the HTML report: small JPEGs as data URIs, so that the page needs no request. */
import sharp from 'sharp';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import type { ApiDeps } from '../../deps.ts';
import { readSlides } from './rows.ts';

const WIDTH_PX = 640;
const QUALITY = 70;
/** A page of a few megabytes still opens at once; of longer decks the slides that something refers to come first. */
const MAX_IMAGES = 80;
/** Pictures made at the same time. */
const PARALLEL = 4;

/** Numbers of the slides that the report refers to. */
function referredSlides(report: AnalysisReport): Set<number> {
  const evidence = [
    ...report.extractions.flatMap((e) => e.evidence),
    ...report.chapters.flatMap((c) => c.questions.flatMap((q) => q.evidence)),
    ...report.specialised.flatMap((s) => s.evidence),
  ];
  return new Set([...evidence, ...report.steering].map((e) => e.slide));
}

/**
 * Pictures by slide number. A picture that cannot be read is left out and logged: the page stands without it.
 */
export async function loadSlideImages(
  { db, blobs, log }: Pick<ApiDeps, 'db' | 'blobs' | 'log'>,
  tenantId: string,
  report: AnalysisReport,
): Promise<Map<number, string>> {
  const referred = referredSlides(report);
  const slides = (await readSlides(db, tenantId, report.deck.id))
    .toSorted((a, b) => Number(referred.has(b.number)) - Number(referred.has(a.number)) || a.number - b.number)
    .slice(0, MAX_IMAGES);
  const images = new Map<number, string>();
  const next = slides.values();
  const worker = async (): Promise<void> => {
    for (const slide of next) {
      if (slide.artefactBlobKey === null) continue;
      try {
        const jpeg = await sharp(await blobs.get(slide.artefactBlobKey))
          .resize({ width: WIDTH_PX, withoutEnlargement: true })
          .jpeg({ quality: QUALITY })
          .toBuffer();
        images.set(slide.number, `data:image/jpeg;base64,${jpeg.toString('base64')}`);
      } catch (error) {
        log.warn({ err: error, slide: slide.number }, 'a slide picture is missing from the report');
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return images;
}
