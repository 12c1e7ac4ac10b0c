/**
 * When each provider last answered the search for leftovers, which asks it every few minutes whatever else happens: an alert rule is made of
 * the time since then.
 */
import { providerNames } from '../../clouds/fleet.ts';
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { durationWords } from '../../domain/text/words.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { sample, secondsSince, type Look } from './source.ts';

const markOf = (provider: string): string => `answer of provider ${provider}`;

/** Stores that a provider has answered. */
export async function noteAnswer(db: PrismaClient, provider: string, at: Date): Promise<void> {
  const name = markOf(provider);
  await db.metricMark.upsert({ where: { name }, create: { name, at }, update: { at } });
}

/** Time since each provider of the fleet answered. One that never did has none: it may not be set up yet. */
export async function readProviderAnswers({ db, fleet, now }: Look): Promise<Sample[]> {
  const names = providerNames(fleet());
  const marks = await db.metricMark.findMany({ where: { name: { in: names.map(markOf) } } });
  return names.flatMap((provider) => {
    const mark = marks.find(({ name }) => name === markOf(provider));
    if (mark === undefined) return [];
    const value = secondsSince(mark.at, now);
    const message = `${provider} has not answered for ${durationWords(value * 1000)}.`;
    return [sample('provider_silent_seconds', { provider }, value, message)];
  });
}
