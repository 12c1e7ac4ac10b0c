/** Open alerts and the targets for operators, as a document. */
import { judgedWords, valueWords } from '../../domain/alerts/words.ts';
import { durationWords } from '../../domain/text/words.ts';
import { figureWords, limitWords, STATE_WORDS } from '../../domain/metrics/target-words.ts';
import { type Block, type Document, type Entry, listOf, paragraph, section, tableOf } from '../document/blocks.ts';
import type { TargetList } from '../targets/schemas.ts';
import type { AlertDocument, AlertPage } from './schemas.ts';

const TONES = { critical: 'weak', warning: 'medium', info: 'none' } as const;
const STATE_TONES = { met: 'good', not_met: 'weak', no_data: 'none', told: 'none' } as const;

/** Shown in the document. */
interface AlertsView {
  readonly alerts: AlertPage;
  /** Whether those that are over are among them. */
  readonly all: boolean;
  readonly targets: Pick<TargetList, 'from' | 'until' | 'items'>;
  readonly nowMs: number;
  /** The same page with, or without, those that are over. */
  readonly otherHref: string;
  /** The next page; null on the last. */
  readonly nextHref: string | null;
}

export function alertsDocument({ alerts, all, targets, nowMs, otherHref, nextHref }: AlertsView): Document {
  const { open, judgedAt, items } = alerts;
  const state = open === 0 ? 'Nothing is wrong' : open === 1 ? 'One open alert' : `${open} open alerts`;
  const links = paragraph(
    { link: all ? 'Only open ones' : 'Also those that are over', href: otherHref },
    ...(nextHref === null ? [] : [' · ', { link: 'Older ones', href: nextHref }]),
  );
  const shown =
    items.length === 0 ? [paragraph({ absent: 'None.' })] : listOf(items.map((each) => entryOf(each, nowMs)));
  return {
    language: 'en',
    title: 'Deckhand: alerts and targets',
    head: { figure: null, blocks: [paragraph({ strong: state }), paragraph({ soft: judgedWords(judgedAt, nowMs) })] },
    sections: [
      ...section('alerts', all ? 'Alerts, newest first' : 'Open alerts', [...shown, links]),
      ...section('targets', 'Targets', targetBlocks(targets)),
    ],
  };
}

function entryOf(alert: AlertDocument, nowMs: number): Entry {
  const { severity, title, subject, message, advice, rule, raisedAt, clearedAt, currentValue, unit } = alert;
  const sinceMs = Date.parse(raisedAt);
  const age =
    clearedAt === null
      ? `open for ${durationWords(Math.max(0, nowMs - sinceMs))}`
      : `over after ${durationWords(Date.parse(clearedAt) - sinceMs)}, at ${clearedAt}`;
  const now =
    currentValue === null || currentValue === alert.value || unit === null
      ? ''
      : ` Now: ${valueWords(currentValue, unit)}.`;
  return {
    head: [
      { mark: severity, tone: TONES[severity] },
      ' ',
      { strong: `${title}${subject === '*' ? '' : ` · ${subject}`}` },
    ],
    lines: [
      [`${message}${now}`],
      ...(clearedAt === null && advice !== '' ? [[advice]] : []),
      [{ soft: `${rule}, ${age}; raised ${raisedAt}` }],
    ],
  };
}

function targetBlocks({ from, until, items }: AlertsView['targets']): Block[] {
  const rows = items.map(({ title, value, unit, limit, state, samples, sampleOf }) => [
    title,
    limitWords(limit, unit),
    STATE_WORDS[state] === '' ? '' : { mark: STATE_WORDS[state], tone: STATE_TONES[state] },
    `${samples} ${sampleOf}`,
    figureWords(value, unit),
  ]);
  const head = ['Target', 'Limit', 'State', 'Made of', 'Figure'];
  return [paragraph({ soft: `${from} to ${until}` }), ...tableOf(head, rows, 4)];
}
