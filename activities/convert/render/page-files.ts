/**
 * The files of a page. The names follow from the page number alone: a render process says nothing about paths.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeError } from '../../../platform/blobs/errors.ts';
import { sha256Hex } from '../../../platform/hash.ts';

/** Paths of the image for people and of the image for models. */
function pageImagePaths(outDir: string, pageNumber: number): { artefactPath: string; modelPath: string } {
  const stem = path.join(outDir, `page-${String(pageNumber).padStart(4, '0')}`);
  return { artefactPath: `${stem}.jpg`, modelPath: `${stem}-model.jpg` };
}

/** Where the images of a page lie, and the SHA-256 of the model's, in hex. */
interface PageFiles {
  readonly artefactPath: string;
  readonly modelPath: string;
  readonly modelSha256: string;
}

/**
 * Writes both images of a page.
 *
 * @throws DeckhandError `storage_full` or `internal` when they cannot be written, which is no fault of the page
 */
export async function writePageImages(
  outDir: string,
  pageNumber: number,
  { artefact, model }: { readonly artefact: Buffer; readonly model: Buffer },
): Promise<PageFiles> {
  const paths = pageImagePaths(outDir, pageNumber);
  try {
    await Promise.all([writeFile(paths.artefactPath, artefact), writeFile(paths.modelPath, model)]);
  } catch (error) {
    throw writeError(`the image of page ${pageNumber}`, error);
  }
  return { ...paths, modelSha256: sha256Hex(model) };
}
