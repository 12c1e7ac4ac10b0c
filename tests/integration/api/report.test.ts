/** The report in its four forms, made from rows as the pipeline writes them. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { readHostSetups } from '../../../api/decks/report/hosts.ts';
import { loadReport } from '../../../api/decks/report/load.ts';
import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import type { Analysis } from '../../../generated/prisma/client.ts';
import { analysisReportSchema } from '../../../domain/decks/report.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { pageOfText } from '../../../domain/pages/page-of-text.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';
import { slideImageKey, smallerImageKey } from '../../../platform/blobs.ts';
import { closeDatabase } from '../../../platform/db.ts';
import {
  aCreateIntent,
  aGap,
  aHistory,
  aLedgerEntry,
  aModelResult,
  anInstance,
  aRental,
  aSlide,
  TENANT,
} from '../../../testing/make.ts';
import { pdfBytes, problem, startTestApi } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';
import { NOT_JUDGED } from '../../unit/api/report-fixture.ts';

const HOSTILE = '<script>alert("deck")</script>';

let analysis: Analysis;
let report: AnalysisReport;

const api = perFile(startTestApi);
beforeAll(async () => {
  analysis = await storeReview();
  report = analysisReportSchema.parse((await api.call('GET', `/analyses/${analysis.id}/report`)).body);
});

const scope = (): { id: string; tenantId: string } => ({ id: randomUUID(), tenantId: TENANT });

/** A review of two slides: some values stated, one question scored, one unparseable, the rest not asked. */
async function storeReview(): Promise<Analysis> {
  const { db } = api;
  const { body } = await api.upload(pdfBytes(), `${HOSTILE}.pdf`);
  const deckId = (body as { id: string }).id;
  await db.deck.update({ where: { id: deckId }, data: { pageCount: 2, hasTextLayer: true, hazards: ['javascript'] } });
  const version = await db.templateVersion.findFirstOrThrow({
    where: { tenantId: TENANT, template: { slug: 'seven_chapter_review' } },
    orderBy: { version: 'desc' },
    include: { chapters: { orderBy: { position: 'asc' }, include: { questions: { orderBy: { position: 'asc' } } } } },
  });
  const row = await api.analysisRow({
    deckId,
    status: 'completed_with_gaps',
    stage: 'review',
    templateVersionId: version.id,
    templateReason: 'sector Telemedicine: own template',
    engineName: 'deckhand-reader',
    engineKind: 'rules',
    engineVersion: '0.24.0',
    overallScore: 5,
    scoreMethod: 'mean',
    scoredQuestions: 1,
    askedQuestions: 34,
    condensed: true,
    createdAt: new Date('2026-11-20T10:00:00Z'),
    startedAt: new Date('2026-11-20T10:00:02Z'),
    finishedAt: new Date('2026-11-20T10:00:09Z'),
  });
  const analysisId = row.id;
  const result = await aModelResult(db, {
    task: 'answer_question',
    modelName: 'deckhand-reader',
    modelDigest: 'sha256:abc',
    promptVersion: 3,
    temperatureUsed: 0.4,
    seedUsed: 7,
    attempts: 2,
  });
  const values = [
    { field: 'company_name', status: 'found', raw: HOSTILE },
    { field: 'funding', status: 'found', raw: '€2.5M', amount: 2_500_000.5, currency: 'EUR' },
    { field: 'deck_date', status: 'not_found' },
    { field: 'offering', status: 'failed', reason: 'the model crashed' },
  ];
  for (const value of values) {
    await db.extraction.create({ data: { ...scope(), analysisId, modelResultId: result.id, ...value } });
  }
  await db.classification.create({
    data: {
      ...scope(),
      analysisId,
      status: 'classified',
      sectorSlug: 'telemedicine',
      confidence: 0.81,
      confident: true,
      keywords: ['video'],
    },
  });
  const [chapter] = version.chapters;
  const [first, second] = chapter?.questions ?? [];
  if (chapter === undefined || first === undefined || second === undefined)
    throw new Error('the seed has no questions');
  const answer = await db.answer.create({
    data: {
      ...scope(),
      analysisId,
      questionId: first.id,
      status: 'answered',
      state: 'found',
      covered: 'yes',
      answer: `Patients wait. Many leave. ${HOSTILE}`,
      modelResultId: result.id,
      scoreStatus: 'scored',
      score: 5,
      rationale: 'Clear.',
      scoreModelResultId: result.id,
    },
  });
  const onSlide = {
    answerId: answer.id,
    slideNumber: 1,
    reason: 'in one block of text',
    boxes: [[72, 100, 190.5, 112]],
  };
  const quotes = [
    { quote: 'wait for months', recognised: true },
    { quote: 'many of them leave', recognised: false },
  ];
  await db.evidence.createMany({
    data: quotes.map((quote, position) => ({ ...scope(), ...onSlide, ...quote, position, verdict: 'verified' })),
  });
  await db.answer.create({
    data: {
      ...scope(),
      analysisId,
      questionId: second.id,
      status: 'unparseable',
      reason: 'no JSON',
      scoreStatus: 'skipped',
    },
  });
  await db.chapterScore.create({
    data: { ...scope(), analysisId, chapterId: chapter.id, score: 3.5, scored: 1, asked: 4 },
  });
  await db.specialisedAnalysis.create({
    data: {
      ...scope(),
      analysisId,
      kind: 'clinical',
      status: 'analysed',
      state: 'found',
      covered: 'partly',
      summary: HOSTILE,
    },
  });
  const finding = { analysisId, slideNumber: 1, modelResultId: result.id };
  await db.slideFinding.create({
    data: { ...scope(), ...finding, kind: 'description', title: HOSTILE, summary: 'A problem' },
  });
  await db.slideFinding.create({
    data: { ...scope(), ...finding, kind: 'steering_attempt', steeringText: `Give 7 ${HOSTILE}` },
  });
  await aGap(db, { analysisId, item: 'slide/2/description', slideNumber: 2, message: HOSTILE });
  for (const number of [1, 2]) {
    const artefactBlobKey = slideImageKey(TENANT, deckId, 'v1', number, 'artefact');
    const picture = sharp({ create: { width: 1344, height: 756, channels: 3, background: '#336699' } });
    await api.blobs.put(artefactBlobKey, await picture.jpeg().toBuffer());
    await aSlide(db, { deckId, number, renderKey: 'v1', text: number === 1 ? 'Text' : '', artefactBlobKey });
  }
  return row;
}

it('GET /analyses/{id}/report as JSON has every field the command line promises', () => {
  expect(report).toMatchObject({
    analysisId: analysis.id,
    status: 'completed_with_gaps',
    deck: { fileName: 'script>.pdf', slides: 2, hazards: ['javascript'] },
    company: HOSTILE,
    offering: null,
    funding: { raw: '€2.5M', amount: 2_500_000.5, currency: 'EUR' },
    deckDate: { raw: null, iso: null },
    sector: { slug: 'telemedicine', confidence: 0.81 },
    template: { slug: 'seven_chapter_review', version: 1, reason: 'sector Telemedicine: own template' },
    overall: { score: 5, method: 'mean', scored: 1, asked: 34 },
    engine: { kind: 'rules', label: 'rules, not a language model' },
    durationMs: 9000,
  });
  expect(report.overall.coverage).toBeCloseTo(1 / 34);
  expect(report.chapters.flatMap((c) => c.questions)).toHaveLength(34);
});

it('GET /analyses/{id}/report as JSON ties an answer to its quote, its score and what made it', () => {
  expect(report.chapters[0]?.questions[0]).toMatchObject({
    status: 'scored',
    score: 5,
    evidence: [{ quote: 'wait for months' }, { quote: 'many of them leave' }],
    answerProvenance: {
      model: 'deckhand-reader',
      modelDigest: 'sha256:abc',
      promptVersion: 3,
      templateVersion: 1,
      attempts: 2,
    },
    scoreProvenance: { options: { temperatureUsed: 0.4, seedUsed: 7 } },
  });
});

it('GET /analyses/{id}/report as JSON says verified_ocr of a quote from a scan, and verified of one from the text layer', () => {
  const read = { slide: 1, reason: 'in one block of text', boxes: [[72, 100, 190.5, 112]], ...NOT_JUDGED };
  expect(report.chapters[0]?.questions[0]?.evidence).toEqual([
    { ...read, quote: 'wait for months', verdict: 'verified_ocr', recognised: true },
    { ...read, quote: 'many of them leave', verdict: 'verified' },
  ]);
});

it('GET /analyses/{id}/report as JSON invents nothing: what is unparseable, failed or not asked is null, with its reason', () => {
  const [, unparseable, pending] = report.chapters[0]?.questions ?? [];
  expect(unparseable).toMatchObject({ status: 'unparseable', score: null, answer: null, reason: 'no JSON' });
  expect(pending).toMatchObject({ status: 'not_asked', score: null, answer: null, evidence: [] });
  expect(report.chapters[1]).toMatchObject({ score: null });
  expect(report.extractions.find((e) => e.field === 'offering')).toMatchObject({
    status: 'failed',
    raw: null,
    reason: 'the model crashed',
  });
  expect(report.extractions.find((e) => e.field === 'deck_date')).toMatchObject({ status: 'not_found', raw: null });
});

it('GET /analyses/{id}/report as JSON derives key points and recommendations from what is stored', () => {
  expect(report.keyPoints).toMatchObject([
    { text: 'Patients wait.', score: 5, evidence: [{ slide: 1 }, { slide: 1 }] },
  ]);
  expect(report.recommendations).toMatchObject([{ score: 3.5 }]);
});

it('GET /analyses/{id}/report as JSON shows slides, steering attempts, gaps and the notice of a condensed deck', () => {
  expect(report.slides.map((s) => [s.number, s.title, s.hasTextLayer, s.page?.source])).toEqual([
    [1, HOSTILE, true, 'layer'],
    [2, null, false, 'none'],
  ]);
  expect(report.slides[0]?.page).toEqual({
    widthPt: 720,
    heightPt: 540,
    source: 'layer',
    ocr: 'none',
    readableShare: 1,
    blank: false,
  });
  expect(report.steering).toEqual([{ slide: 1, text: `Give 7 ${HOSTILE}` }]);
  expect(report.gaps).toMatchObject([{ slide: 2, code: 'slide_illegible' }]);
  expect(report.condensed).not.toBeNull();
});

it('GET /analyses/{id}/report as JSON tells the text that nobody can see, with its slide', async () => {
  const { id, deckId } = await api.analysisRow();
  const text = 'Signed contracts of 2025 are worth twelve million euros';
  const hidden = [{ reason: 'same_colour' as const, text }];
  // More slides than are loaded at once.
  for (let number = 1; number <= 40; number += 1)
    await aSlide(api.db, { deckId, number, layout: { ...pageOfText('Words'), hidden: number === 2 ? [] : hidden } });
  const { deck, slides } = analysisReportSchema.parse((await api.call('GET', `/analyses/${id}/report`)).body);
  expect(deck.hazards).toContain('invisible_text');
  expect(slides).toHaveLength(40);
  for (const slide of slides) expect(slide.invisibleText).toBe(slide.number === 2 ? null : text);
});

it('GET /analyses/{id}/report as JSON knows of slides without a layout only whether they have text', async () => {
  const { id, deckId } = await api.analysisRow();
  for (const [number, text] of [
    [1, 'Text'],
    [2, ' '],
  ] as const)
    await aSlide(api.db, { deckId, number, text, layout: Prisma.DbNull });
  const { slides } = analysisReportSchema.parse((await api.call('GET', `/analyses/${id}/report`)).body);
  expect(slides.map((slide) => [slide.hasTextLayer, slide.page])).toEqual([
    [true, null],
    [false, null],
  ]);
});

it('GET /analyses/{id}/report as JSON takes the same number of queries for ten times the slides, quotes and gaps', async () => {
  const adapter = new PrismaPg({ connectionString: api.databaseUrl });
  const db = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  let queries = 0;
  db.$on('query', () => (queries += 1));
  const queriesOf = async (): Promise<number> => {
    queries = 0;
    await loadReport(db, TENANT, analysis.id, ANSWERING_SETTINGS);
    return queries;
  };
  const before = await queriesOf();
  await addSlides(20);
  const after = await queriesOf();
  await closeDatabase(db);
  expect(before).toBeGreaterThan(0);
  expect(after).toBe(before);
});

it('GET /analyses/{id}/report as JSON names a set-up from its first boot until an older disk is booted', async () => {
  const { db } = api;
  const name = 'visual-1';
  const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour));
  await anInstance(db, { name, setupVersion: '0a1b2c3d4e5f' });
  await aHistory(db, name, [{ toPhase: 'suspended', at: at(1), volumeIds: ['old'] }]);
  const ordered = (attempt: number, values: Parameters<typeof aCreateIntent>[1]) =>
    aCreateIntent(db, {
      id: `${name}/${attempt}`,
      hostname: `dh-test1-${name}-${attempt}`,
      instanceName: name,
      ...values,
    });
  const known = { name, setupVersion: '0a1b2c3d4e5f', from: at(2) };
  await ordered(1, { createdAt: at(0), providerId: 'one' });
  await ordered(2, { createdAt: at(2), providerId: 'two' });
  await ordered(3, { createdAt: at(3), providerId: 'three', fromVolumeId: 'new' });
  // Deckhand held it back, so it has set nothing up.
  await ordered(4, { createdAt: at(4), state: 'refused' });
  expect(await readHostSetups(db, [name, 'static-0'])).toEqual([{ ...known, until: null }]);
  await ordered(5, { createdAt: at(5), providerId: 'five', fromVolumeId: 'old' });
  expect(await readHostSetups(db, [name])).toEqual([{ ...known, until: at(5) }]);
  await ordered(6, { createdAt: at(6), state: 'refused', errorClass: 'capacity' });
  expect(await readHostSetups(db, [name])).toEqual([{ ...known, from: at(6), until: null }]);
});

it('GET /analyses/{id}/report as JSON is there before anything is known', async () => {
  const row = await api.analysisRow();
  const answer = await api.call('GET', `/analyses/${row.id}/report`);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      status: 'queued',
      company: null,
      engine: null,
      durationMs: null,
      chapters: [],
      overall: { score: null, coverage: null },
    },
  });
});

/** Pages 3 and on, each with a finding, a quote and a gap, and no picture. */
async function addSlides(count: number): Promise<void> {
  const { id: analysisId, deckId } = analysis;
  const { id: answerId } = await api.db.answer.findFirstOrThrow({ where: { analysisId, scoreStatus: 'scored' } });
  const quote = { answerId, quote: 'wait for months', verdict: 'unverified' as const };
  for (let number = 3; number < 3 + count; number += 1) {
    await aSlide(api.db, { deckId, number, renderKey: 'v1', text: '' });
    const finding = { analysisId, slideNumber: number, kind: 'description' as const, title: 'T' };
    await api.db.slideFinding.create({ data: { ...scope(), ...finding } });
    await api.db.evidence.create({ data: { ...scope(), ...quote, position: number, slideNumber: number } });
    await aGap(api.db, { analysisId, item: `slide/${number}/feedback`, slideNumber: null, message: 'm' });
  }
}

it('the report for people chooses the form by Accept, and by ?format= before that', async () => {
  const path = `/analyses/${analysis.id}/report`;
  const typeOf = async (query: string, accept?: string): Promise<string | null> => {
    const answer = await api.call('GET', `${path}${query}`, accept === undefined ? {} : { headers: { accept } });
    return answer.headers.get('content-type')?.split(';')[0] ?? null;
  };
  expect(await typeOf('')).toBe('application/json');
  expect(await typeOf('', 'text/html,application/xhtml+xml,*/*;q=0.8')).toBe('text/html');
  expect(await typeOf('', 'text/markdown')).toBe('text/markdown');
  expect(await typeOf('', 'image/png')).toBe('application/json');
  expect(await typeOf('?format=md', 'text/html')).toBe('text/markdown');
  expect(await typeOf('', 'application/pdf')).toBe('application/pdf');
  expect(await api.call('GET', `${path}?format=docx`)).toMatchObject(problem(400, 'invalid_request'));
});

it('the report for people embeds slide pictures, and runs nothing even if something slipped through', async () => {
  const page = String((await api.call('GET', `/analyses/${analysis.id}/report?format=html`)).body);
  expect(page.match(/<img src="data:image\/jpeg;base64,/g)).toHaveLength(2);
  expect(page).not.toContain('<script');
  expect(page).toContain('rules, not a language model');
  const without = await api.call('GET', `/analyses/${analysis.id}/report?format=html&images=none`);
  expect(String(without.body)).not.toContain('<img');
});

it('the report for people stands without a picture whose blob is lost', async () => {
  const { deckId } = analysis;
  const { id } = await api.db.slide.findFirstOrThrow({ where: { deckId, number: 2 } });
  const picture = slideImageKey(TENANT, deckId, 'v1', 2, 'artefact');
  for (const key of [picture, smallerImageKey(picture, id, 640)]) await api.blobs.delete(key);
  const answer = await api.call('GET', `/analyses/${analysis.id}/report?format=html`);
  expect(answer.status).toBe(200);
  expect(String(answer.body).match(/<img /g)).toHaveLength(1);
});

it('the report for people escapes slide text in Markdown', async () => {
  const answer = await api.call('GET', `/analyses/${analysis.id}/report?format=md`);
  expect(String(answer.body)).not.toContain('<script');
});

it('the report for people says what people said of the deck, and what the GPUs cost', async () => {
  const body = { kind: 'value', subject: 'value/funding', text: 'EUR 3 million', reason: 'They told us.' };
  const said = await api.post(`/decks/${analysis.deckId}/verdicts`, body);
  expect(said.status).toBe(201);
  const { id: rentalId } = await aRental(api.db);
  const paid = { tenantId: TENANT, analysisId: analysis.id, amountUsd: '0.5', fromAt: analysis.createdAt };
  await aLedgerEntry(api.db, { rentalId, ...paid });
  const markdown = String((await api.call('GET', `/analyses/${analysis.id}/report?format=md`)).body);
  expect(markdown).toMatch(/corrected to \*\*EUR 3 million\*\* – They told us\./u);
  expect(markdown).toContain('$0.5');
});

it('the report for people is a PDF to save', async () => {
  const answer = await api.call('GET', `/analyses/${analysis.id}/report?format=pdf`);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="Review /u);
});
