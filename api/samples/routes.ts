/** Routes of the sample decks that come with Deckhand: an empty list of decks offers them. An image without them has none. */
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { z } from '@hono/zod-openapi';
import { DeckhandError } from '../../domain/errors.ts';
import { errnoOf } from '../../platform/blobs/errors.ts';
import { REPOSITORY_DIR } from '../../platform/config.ts';
import { attachment } from '../decks/files/attachment.ts';
import { group } from '../http/routes.ts';
import { FILE_CONTENT_SECURITY } from '../pages/content-security.ts';
import { type SampleList, listRoute, pdfRoute } from './schemas.ts';

const FOLDER = path.join(REPOSITORY_DIR, 'samples');
const PDF = '.pdf';

/** What the truth about a sample says of its size. */
const truthSchema = z.object({ slides: z.int() });

/** Names of the samples; none where they were not installed. */
async function sampleNames(): Promise<readonly string[]> {
  try {
    const files = await readdir(FOLDER);
    return files.filter((file) => file.endsWith(PDF)).map((file) => path.basename(file, PDF));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function describe(name: string): Promise<SampleList['items'][number]> {
  const truth = truthSchema.parse(JSON.parse(await readFile(path.join(FOLDER, `${name}.json`), 'utf8')));
  return { name, fileName: `${name}${PDF}`, slides: truth.slides };
}

/** The routes of samples. */
export const sampleRoutes = group((_deps, routes) => {
  routes.openapi(listRoute, async (c) =>
    c.json({ items: await Promise.all((await sampleNames()).map(describe)) }, 200),
  );

  routes.openapi(pdfRoute, async (c) => {
    const { name } = c.req.valid('param');
    if (!(await sampleNames()).includes(name)) {
      throw new DeckhandError('not_found', `no sample ${name}`, { userMessage: `There is no sample called ${name}.` });
    }
    const file = path.join(FOLDER, `${name}${PDF}`);
    return c.body(Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>, 200, {
      'content-type': 'application/pdf',
      'content-length': String((await stat(file)).size),
      'content-disposition': attachment(`${name}${PDF}`, PDF),
      'content-security-policy': FILE_CONTENT_SECURITY,
    });
  });
});
