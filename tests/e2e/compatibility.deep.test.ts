/** The endpoints of the container document, each to its result on a running Deckhand: workflow, class queues, the built-in reader. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import type { compatibleHealthSchema, TaskAnswer } from '../../api/compat/schemas.ts';
import { clientApiKey } from '../../platform/own-api-key.ts';
import { perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { readPages } from '../../testing/read-pdf.ts';
import { joinSharedStack } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

const rig = perFile(() => joinSharedStack());
const COMPANY = 'Zelvarion';
const WAIT = 'waitSec=300';

interface Answered<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

async function ask<T = TaskAnswer>(method: string, path: string, body?: unknown): Promise<Answered<T>> {
  const response = await fetch(`${rig.runtime.apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${clientApiKey(rig.config) ?? ''}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}

const post = (path: string, body: unknown, wait = WAIT) => ask('POST', `/api/${path}?${wait}`, body);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A slide as a picture, as somebody sends it who has no PDF. */
async function pictureOfSlide(): Promise<string> {
  const [page] = await readPages(await drawPlainDeck(plainSlides(COMPANY).slice(1, 2)));
  if (page === undefined) throw new Error('no page');
  const { rgb, widthPx: width, heightPx: height } = page.raster;
  return base64(
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  );
}

const answeredBy = (model: string, task: string) =>
  expect.objectContaining({
    task,
    model,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/u) as string,
    host: expect.any(String) as string,
    seconds: expect.any(Number) as number,
  }) as object;

it('a picture of a slide is described and judged; the same picture is the same deck, which is deleted as any other', async () => {
  const image = await pictureOfSlide();
  const described = await post('visual-analysis', { image, fileName: 'problem.png' });
  expect(described).toMatchObject({ status: 200, body: { task: 'visual_analysis', status: 'completed', gaps: [] } });
  expect(described.body.provenance).toEqual([answeredBy('reader-vision:1', 'describe_slide')]);
  expect(described.body.result).toMatchObject({
    slides: [{ number: 1, legible: true, summary: expect.stringContaining('readmitted') as string, failure: null }],
  });

  const judged = await post('slide-feedback', { image });
  expect(judged).toMatchObject({ status: 200, body: { task: 'slide_feedback', deckId: described.body.deckId } });
  expect(judged.body.provenance).toEqual([answeredBy('reader-vision:1', 'slide_feedback')]);
  expect(judged.body.result).toMatchObject({ slides: [{ number: 1, hasIssues: expect.any(Boolean) as boolean }] });

  await rig.client.DELETE('/decks/{id}', { params: { path: { id: described.body.deckId } } });
  await until(async () => (await ask('GET', `/api/tasks/${described.body.id}`)).status).is(404);
});

it('facts, questions and readings of one deck, which comes with the first request and is named by the others', async () => {
  const slides = plainSlides(COMPANY);
  const pdf = base64(await drawPlainDeck(slides.filter((_, index) => index % 2 === 0)));
  // Without a wait the answer says where the result will be.
  const begun = await post('extraction/funding_amount', { pdf, fileName: 'zelvarion.pdf' }, 'waitSec=0');
  expect(begun).toMatchObject({ status: 202, body: { result: null, provenance: [] } });
  const location = begun.headers.get('location') ?? '';
  expect(location).toBe(begun.body.url);
  const funding = await ask('GET', `${location}?${WAIT}`);
  expect(funding).toMatchObject({
    status: 200,
    body: { id: begun.body.id, result: { field: 'funding', amount: 4_500_000, currency: 'EUR' } },
  });
  expect(funding.body.provenance).toEqual([answeredBy('reader-text:1', 'extract_funding')]);

  const { deckId } = funding.body;
  const name = await post('extraction/startup_name_extraction', { deckId });
  expect(name).toMatchObject({ status: 200, body: { deckId, result: { field: 'company_name', status: 'found' } } });
  const sector = await post('extraction/healthcare_classification', { deckId });
  expect(sector).toMatchObject({ status: 200, body: { deckId, result: { status: 'classified' } } });

  const template = await post('template-analysis', { deckId, template: 'seven_chapter_review' });
  expect(template).toMatchObject({
    status: 200,
    body: { result: { template: { slug: 'seven_chapter_review' }, overall: { asked: 34 } } },
  });
  expect(template.body.provenance).toEqual([
    answeredBy('reader-text:1', 'answer_question'),
    answeredBy('reader-text:1', 'score_answer'),
  ]);

  const clinical = await post('specialized-analysis', { deckId, type: 'clinical' });
  expect(clinical).toMatchObject({ status: 200, body: { result: { kind: 'clinical', status: 'analysed' } } });
  expect(clinical.body.provenance).toEqual([answeredBy('reader-text:1', 'specialised_clinical')]);
});

it('health names the models that are served, and what waits', async () => {
  const { status, body } = await ask<z.infer<typeof compatibleHealthSchema>>('GET', '/api/health');
  expect({ status, state: body.status }).toEqual({ status: 200, state: 'ok' });
  expect(body.models.map(({ name }) => name)).toEqual(['reader-text:1', 'reader-vision:1']);
  expect(body.queue.map((each) => each.class)).toEqual(['gpu-visual', 'gpu-text']);
});
