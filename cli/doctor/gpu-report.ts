/**
 * The report on a GPU for people: one line per finding under its area, a bar where something fills up, and what to do under what is not well.
 */
import type { GpuDiagnosis, GpuFinding } from '../../domain/health/gpu/diagnosis/finding.ts';

/** How it is drawn. */
export interface ReportStyle {
  readonly colours: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

const SIGNS: Readonly<Record<GpuFinding['level'], string>> = { ok: '✓', warn: '!', fail: '✗', skipped: '–' };
const COLOURS: Readonly<Record<GpuFinding['level'], string>> = { ok: '32', warn: '33', fail: '31', skipped: '90' };
const BAR = 16;
/** Names are this wide at least; longer ones stand out of line. */
const NAME = 26;
const NARROWEST = 60;

/** The whole report. */
export function renderDiagnosis({ target, findings, level }: GpuDiagnosis, style: ReportStyle): string {
  const areas = [...new Set(findings.map((finding) => finding.area))];
  const body = areas.flatMap((area) => [
    '',
    bold(area === 'GPU' ? area : area.charAt(0).toUpperCase() + area.slice(1), style),
    ...findings.filter((finding) => finding.area === area).flatMap((finding) => lines(finding, style)),
  ]);
  const title = `GPU of ${target === 'local' ? 'this machine' : target}`;
  return [bold(title, style), ...body, '', summary(findings, level)].join('\n');
}

function lines({ name, level, found, fix, share }: GpuFinding, style: ReportStyle): string[] {
  const sign = paint(SIGNS[level], COLOURS[level], style);
  const indent = ' '.repeat(NAME + 4);
  const head = `  ${sign} ${name.padEnd(NAME)}`;
  const width = Math.max(NARROWEST, style.width) - indent.length;
  const [first = '', ...rest] = wrap(found, width);
  const bar = share === null ? [] : [`${indent}${paint(barOf(share), COLOURS[level], style)}`];
  const advice =
    fix === null ? [] : wrap(fix, width - 2).map((line, index) => `${indent}${index === 0 ? '→ ' : '  '}${line}`);
  return [`${head}${first}`, ...rest.map((line) => `${indent}${line}`), ...bar, ...advice];
}

/** `██████░░░░ 62 %`; what is more than there is fills it and says so. */
function barOf(share: number): string {
  const filled = Math.min(BAR, Math.max(0, Math.round(share * BAR)));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${Math.round(share * 100)} %`;
}

function summary(findings: readonly GpuFinding[], level: GpuDiagnosis['level']): string {
  const count = (one: GpuFinding['level']): number => findings.filter((finding) => finding.level === one).length;
  const skipped = count('skipped') === 0 ? '' : ` ${count('skipped')} could not be looked at (–).`;
  switch (level) {
    case 'ok':
      return `${count('ok')} looked at, nothing to fix.${skipped}`;
    case 'warn':
      return `Nothing fails; ${count('warn')} to look after (!).${skipped}`;
    case 'fail':
      return `${count('fail')} ${count('fail') === 1 ? 'fails' : 'fail'} (✗)${count('warn') === 0 ? '' : `, ${count('warn')} to look after (!)`}.${skipped}`;
  }
}

/** Breaks at blanks; a word that is longer than the line stays whole. */
function wrap(text: string, width: number): string[] {
  const done: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      done.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...done, line];
}

const paint = (text: string, colour: string, { colours }: ReportStyle): string =>
  colours ? `\u001B[${colour}m${text}\u001B[0m` : text;
const bold = (text: string, style: ReportStyle): string => paint(text, '1', style);
