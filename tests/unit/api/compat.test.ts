/** The compatibility layer without a server: its examples, the deck that a picture becomes, and who answered. */
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { EXAMPLES } from '../../../api/compat/examples.ts';
import { deckOfPicture } from '../../../api/compat/picture-deck.ts';
import { taskAnswer } from '../../../api/compat/result.ts';
import {
  specialisedBodySchema,
  taskAnswerSchema,
  taskBodySchema,
  templateBodySchema,
} from '../../../api/compat/schemas.ts';
import { TASK_TYPES } from '../../../domain/models/model-tasks.ts';
import { readPages } from '../../../testing/read-pdf.ts';
import { reportWith } from './report-fixture.ts';

it('every example of the document is a request and an answer of its endpoint', () => {
  const { visual, feedback, extraction, template, specialised } = EXAMPLES;
  for (const { answer } of Object.values(EXAMPLES)) expect(taskAnswerSchema.parse(answer)).toEqual(answer);
  for (const { request } of [visual, feedback, extraction]) taskBodySchema.parse(request);
  templateBodySchema.parse(template.request);
  specialisedBodySchema.parse(specialised.request);
});

it('each task type answers with its part of a report, and names each model and host once', () => {
  const report = reportWith('text');
  for (const task of TASK_TYPES) {
    const answer = taskAnswer(task, report, { isFinished: true, url: '/api/tasks/1' });
    expect(taskAnswerSchema.parse(answer), task).toEqual(answer);
    const places = answer.provenance.map((each) => JSON.stringify([each.task, each.model, each.digest, each.host]));
    expect(new Set(places).size, task).toBe(places.length);
    const open = taskAnswer(task, report, { isFinished: false, url: '/api/tasks/1' });
    expect(open).toMatchObject({ result: null, provenance: [] });
  }
});

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } });

it.each(['png', 'jpeg', 'webp'] as const)(
  'a picture in %s becomes one page of its shape, twice the same',
  async (format) => {
    const bytes = await picture(400, 300).toFormat(format).toBuffer();
    const pdf = await deckOfPicture(bytes);
    expect(Buffer.from(await deckOfPicture(bytes)).equals(pdf)).toBe(true);
    const pages = await readPages(pdf);
    expect(pages).toHaveLength(1);
    const { widthPx, heightPx } = pages[0]?.raster ?? { widthPx: 0, heightPx: 1 };
    expect(widthPx / heightPx).toBeCloseTo(400 / 300, 1);
  },
);

it('a picture that claims to be enormous is refused before it is decoded', async () => {
  const bytes = await picture(4, 4).png().toBuffer();
  // Width and height of the header, and the checksum over it.
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(60_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  await expect(deckOfPicture(bytes)).rejects.toMatchObject({
    code: 'invalid_request',
    hint: expect.stringContaining('64 million') as string,
  });
});
