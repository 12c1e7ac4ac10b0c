/**
 * Where the images of a page lie. The names follow from the page number alone, so that the parent process never takes a path from a
 * render process.
 */
import path from 'node:path';

/** Paths of the image for people and of the image for models. */
export function pageImagePaths(outDir: string, pageNumber: number): { artefactPath: string; modelPath: string } {
  const stem = path.join(outDir, `page-${String(pageNumber).padStart(4, '0')}`);
  return { artefactPath: `${stem}.jpg`, modelPath: `${stem}-model.jpg` };
}
