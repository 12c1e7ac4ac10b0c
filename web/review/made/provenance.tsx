/** How one value was made: model, digest, prompt, host, time. */
import type { Provenance } from '../../../domain/decks/report.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import { formatMoment } from '../../format.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { madeWords } from './words.ts';
import { shownDigest } from '../../../domain/models/identity.ts';

/** Milliseconds in seconds with one decimal. */
export const secondsOf = (durationMs: number): string => (durationMs / 1000).toFixed(1);

/** Names and values in two columns. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 py-1">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The facts of one value. */
export function ProvenanceFacts({ provenance }: { readonly provenance: Provenance }) {
  const words = useWords(madeWords);
  const language = useLanguage();
  const {
    model,
    modelDigest,
    promptVersion,
    host,
    setupVersion,
    outsideHost,
    durationMs,
    attempts,
    computedAt,
    engineKind,
  } = provenance;
  return (
    <Facts
      facts={[
        [words.model, engineKind === 'rules' ? `${model} (${words.rules})` : model],
        [words.digest, shownDigest(modelDigest, reviewWords[language].byName)],
        [words.prompt, words.version(promptVersion)],
        [words.host, setupVersion === null ? host : `${host} (${words.setup} ${setupVersion})`],
        ...(outsideHost === null ? [] : [[words.outside, outsideHost] as const]),
        [words.time, words.seconds(secondsOf(durationMs))],
        ...(attempts > 1 ? [[words.attempts, String(attempts)] as const] : []),
        [words.computed, formatMoment(computedAt, language)],
      ]}
    />
  );
}
