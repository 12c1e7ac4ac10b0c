/**
 * A deck of three slides on a real model server that was added by its URL, whatever its kind: the review ends, and so it does when the server is
 * killed in the middle of it or the connection to it is bad. The models have random weights.
 */
import { beforeAll, expect, it } from 'vitest';
import type { AnalysisStatusDocument } from '../../api/client.ts';
import { isProof } from '../../domain/decks/review/proof.ts';
import type { ServerKind } from '../../domain/models/server-kind.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import { perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { failureOf } from '../../testing/refusal.ts';
import { questionsOf, startRig } from '../../testing/rig.ts';
import { shortenTemplates } from '../../testing/short-template.ts';
import { until } from '../../testing/until.ts';
import { allEvidence, allProvenance } from '../ollama/reviews.ts';
import { misnamedWay, redirectWay, slowWay, type Way } from './ways.ts';

/** A server that reviews. */
export interface DeckServer {
  readonly kind: ServerKind;
  readonly url: string;
  /** A model that sees pictures and answers in text. */
  readonly model: string;
  readonly windowTokens: number;
  /** Stands in the provenance of its results. */
  readonly version: RegExp;
  /** Kills all of its processes with -9. */
  kill(): void;
  startAgain(): Promise<void>;
}

const SLIDES = plainSlides('Pulsara').slice(0, 3);
const QUESTIONS = { chapters: 4, questionsOfEach: 1 };

/** Declares the suite. `server` is looked at in hooks and tests alone, after the file's own set-up. */
export function deckContract(server: DeckServer): void {
  const rig = perFile(() => startRig());
  let deckId: string;
  /** Adds a model of the server by a URL. @returns its profile */
  const add = async (url: string, model: string): Promise<string> => {
    const { kind, windowTokens: window } = server;
    return (await rig.client.POST('/models/add', { body: { kind, model, server: url, window, profile: 'real' } }))
      .profile;
  };

  beforeAll(async () => {
    await shortenTemplates(rig.db, DEFAULT_TENANT, QUESTIONS);
    deckId = await rig.upload(await drawPlainDeck(SLIDES), 'pulsara.pdf');
  });

  it('a deck is reviewed by a server that was added by its URL', async ({ annotate }) => {
    const report = await rig.review(deckId, { models: await add(server.url, server.model) });
    expect(report.failure).toBeNull();
    expect(report.status).toMatch(/^completed/u);
    expect(report.slides).toHaveLength(SLIDES.length);
    expect(questionsOf(report)).toHaveLength(QUESTIONS.chapters);
    const provenance = allProvenance(report);
    expect(provenance.length).toBeGreaterThan(QUESTIONS.chapters);
    for (const { model, modelDigest, engineKind, serverVersion } of provenance) {
      expect(model).toBe(server.model);
      expect(modelDigest).toMatch(/^(?:by-name:)?[0-9a-f]{64}$/u);
      expect(engineKind).toBe('language model');
      expect(serverVersion).toMatch(server.version);
    }
    // Random words prove nothing, and what is missing says why.
    expect(allEvidence(report).filter(isProof)).toEqual([]);
    for (const gap of report.gaps)
      expect(gap).toMatchObject({ message: expect.stringMatching(/\p{L}{3,}/u) as string });
    expect(report.gaps.map(({ code }) => code)).not.toContain('internal');
    await annotate(`${report.status} in ${report.durationMs} ms, ${report.gaps.length} gaps`);
  });

  it('a deck ends whose server is killed in the middle of it and started again, and waits with a reason meanwhile', async () => {
    const { analysisId } = await rig.client.startAnalysis(deckId, { models: 'real', language: 'de' });
    await until(() => rig.db.callAttempt.count({ where: { analysisId } })).is((count) => count > 0);
    server.kill();
    const waiting = await until(() => rig.analysis(analysisId)).is(
      ({ progress, finishedAt }: AnalysisStatusDocument) =>
        finishedAt !== null || (progress?.waitingFor ?? null) !== null,
    );
    if (waiting.finishedAt === null) expect(waiting.progress?.waitingFor).toMatch(/\p{L}{3,}/u);
    await server.startAgain();
    await rig.ended(analysisId);
    const report = await rig.client.report(analysisId);
    expect(report.failure).toBeNull();
    expect(report.status).toMatch(/^completed/u);
  });

  it('a deck ends over a slow connection', async () => {
    const otherDeckId = await rig.upload(await drawPlainDeck(plainSlides('Auralis').slice(0, 3)), 'auralis.pdf');
    const way = await slowWay(server.url);
    try {
      await rig.client.PUT('/models/servers/{name}', {
        params: { path: { name: await serverOf('real') } },
        body: { kind: server.kind, url: way.url },
      });
      const report = await rig.review(otherDeckId, { models: 'real', taskType: 'visual_analysis' });
      expect(report.status).toMatch(/^completed/u);
    } finally {
      await way.stop();
    }
  });

  /** Name of the server that holds a profile. */
  const serverOf = async (profile: string): Promise<string> => {
    const { profiles } = await rig.client.GET('/models/catalog');
    return profiles.find(({ name }) => name === profile)?.server ?? '';
  };

  const bad: readonly (readonly [string, (url: string) => Promise<Way>, RegExp])[] = [
    ['with a certificate for another name', misnamedWay, /certificate/u],
    ['that redirects', redirectWay, /redirects \(307\)/u],
  ];
  it.each(bad)('a server behind a connection %s is not added, and the reason is named', async (_, way, reason) => {
    const { url, stop } = await way(server.url);
    try {
      const refused = await failureOf(add(url, 'another-model'));
      expect(refused.userMessage).toMatch(reason);
    } finally {
      await stop();
    }
  });
}
