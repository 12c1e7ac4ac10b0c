/** How a review was made: run, cost, and every step with its model. Read when somebody asks. */
import { useQuery } from '@tanstack/react-query';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import { formatCost, formatCount, formatMoment } from '../../format.ts';
import { KEYS } from '../../live/cache.ts';
import { api } from '../../request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useLanguage, useWords, wordFor } from '../../words/language.ts';
import { Facts, secondsOf } from './provenance.tsx';
import { stepsOf } from './steps.ts';
import { madeWords } from './words.ts';
import { shownDigest } from '../../../domain/models/identity.ts';

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What a run cost; null where nothing was settled. A day more on each side, because the days of costs are those of a time zone. */
async function readCost(
  { analysisId, createdAt, finishedAt }: AnalysisReport,
  signal: AbortSignal,
): Promise<number | null> {
  const query = {
    by: 'analysis',
    from: dayOf(Date.parse(createdAt) - DAY_MS),
    to: dayOf(Math.min(Date.now(), finishedAt === null ? Date.now() : Date.parse(finishedAt) + DAY_MS)),
  } as const;
  const costs = await api.GET('/costs', { params: { query }, signal });
  const own = costs.items.find(({ key }) => key === analysisId);
  return own === undefined ? null : Number(own.usd);
}

/** The drawer. */
export function MadeDrawer({
  deck,
  report,
  onClose,
}: {
  readonly deck: DeckEntry;
  readonly report: AnalysisReport;
  readonly onClose: () => void;
}) {
  const words = useWords(madeWords);
  const language = useLanguage();
  const { data: costUsd } = useQuery({
    queryKey: [...KEYS.ofDeck(deck.id), 'cost', report.analysisId],
    queryFn: ({ signal }) => readCost(report, signal),
  });
  const { engine, rollout, template, startedAt, finishedAt, durationMs, overall } = report;
  return (
    <Dialog isDrawer onClose={onClose} title={words.title}>
      <div className="flex flex-col gap-4 text-sm">
        <Facts
          facts={[
            ...(engine === null
              ? []
              : [[words.engine, engine.kind === 'rules' ? `${engine.name} (${words.rules})` : engine.label] as const]),
            ...(rollout === null
              ? []
              : [[words.rollout, `${rollout.name}: ${words.rolloutSides[rollout.side]}`] as const]),
            ...(template.name === null
              ? []
              : [[words.template, `${template.name}, ${words.version(template.version ?? 1)}`] as const]),
            [words.started, formatMoment(startedAt, language)],
            [words.finished, formatMoment(finishedAt, language)],
            ...(durationMs === null ? [] : [[words.duration, words.seconds(secondsOf(durationMs))] as const]),
            [words.cost, formatCost(costUsd ?? null, language)],
            [words.costOfDeck, formatCost(deck.costUsd, language)],
            ...(overall.method === null ? [] : [[words.method, words.methodText] as const]),
            [words.analysis, report.analysisId],
            [words.file, report.deck.sha256],
          ]}
        />
        <Steps report={report} />
      </div>
    </Dialog>
  );
}

function Steps({ report }: { readonly report: AnalysisReport }) {
  const words = useWords(madeWords);
  const language = useLanguage();
  const heads = [words.task, words.model, words.digest, words.prompt, words.host, words.calls, words.time];
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-xs">
        <caption className="pb-1 text-left text-sm font-medium">{words.steps}</caption>
        <thead>
          <tr className="border-b border-line text-soft">
            {heads.map((head) => (
              <th key={head} scope="col" className="py-1 pr-3 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stepsOf(report).map(({ key, task, model, modelDigest, promptVersion, host, calls, durationMs }) => (
            <tr key={key} className="border-b border-line">
              <td className="py-1 pr-3">{wordFor(words.tasks, task) ?? task}</td>
              <td className="py-1 pr-3">{model}</td>
              <td className="py-1 pr-3 font-mono">{shownDigest(modelDigest, reviewWords[language].byName)}</td>
              <td className="py-1 pr-3 tabular-nums">{promptVersion}</td>
              <td className="py-1 pr-3">{host}</td>
              <td className="py-1 pr-3 tabular-nums">{formatCount(calls, language)}</td>
              <td className="py-1 pr-3 whitespace-nowrap tabular-nums">{words.seconds(secondsOf(durationMs))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
