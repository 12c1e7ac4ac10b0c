/**
 * The report on a GPU for people: one line per finding under its area, a bar where something fills up, and what to do under what is not well.
 */
import type { EngineFit } from '../../domain/health/gpu/diagnosis/engines.ts';
import type { GpuDiagnosis, GpuFinding } from '../../domain/health/gpu/diagnosis/finding.ts';
import { bar, pad, paint, type TerminalStyle, type TextFormat, wrap } from '../terminal/style.ts';

const SIGNS: Readonly<Record<GpuFinding['level'], string>> = { ok: '✓', warn: '!', fail: '✗', skipped: '–' };
const COLOURS: Readonly<Record<GpuFinding['level'], TextFormat>> = {
  ok: 'green',
  warn: 'yellow',
  fail: 'red',
  skipped: 'gray',
};
const BAR = 16;
/** Least width of names; longer ones are not aligned. */
const NAME = 26;
const NARROWEST = 60;

/** The whole report. */
export function renderDiagnosis({ target, findings, level, engines }: GpuDiagnosis, style: TerminalStyle): string {
  const areas = [...new Set(findings.map((finding) => finding.area))];
  const body = areas.flatMap((area) => [
    '',
    paint(area === 'GPU' ? area : area.charAt(0).toUpperCase() + area.slice(1), 'bold', style),
    ...findings.filter((finding) => finding.area === area).flatMap((finding) => lines(finding, style)),
  ]);
  const title = `GPU of ${target === 'local' ? 'this machine' : target}`;
  return [paint(title, 'bold', style), ...body, ...engineLines(engines, style), '', summary(findings, level)].join(
    '\n',
  );
}

/** What each engine asks for, whether it is in use or not: a cross here is no failure of the machine. */
function engineLines(engines: readonly EngineFit[], style: TerminalStyle): string[] {
  if (engines.length === 0) return [];
  const findings = engines.map((fit): GpuFinding => ({
    area: 'driver',
    name: `${fit.title} ${fit.version}`,
    level: fit.suffices === null ? 'skipped' : fit.suffices ? 'ok' : 'fail',
    found: engineWords(fit),
    fix: fit.next,
    share: null,
  }));
  return ['', paint('Engines, in use or not', 'bold', style), ...findings.flatMap((finding) => lines(finding, style))];
}

function engineWords({ needs, has, amd, suffices, reason }: EngineFit): string {
  const verdict = suffices === true ? 'that suffices' : (reason ?? 'not known');
  if (amd !== undefined) {
    const gpus = new Set(amd.has.gpus.map(({ name, target }) => (target === null ? name : `${name} (${target})`)));
    const there = [amd.has.rocm === null ? null : `ROCm ${amd.has.rocm}`, ...gpus].filter((part) => part !== null);
    return `needs ROCm ${amd.needs.rocm}; here: ${there.join(', ')}; ${verdict}`;
  }
  const asked = `needs driver ${needs.driver}, CUDA ${needs.cuda}, compute capability ${needs.computeCapability.toFixed(1)}`;
  const gpus = new Set(
    has.gpus.map(
      ({ name, computeCapability }) =>
        `${name}${computeCapability === null ? '' : ` (${computeCapability.toFixed(1)})`}`,
    ),
  );
  const there = [
    has.driver === null ? null : `driver ${has.driver}`,
    has.cuda === null ? null : `CUDA ${has.cuda}`,
    ...gpus,
  ].filter((part) => part !== null);
  const here = there.length === 0 ? '' : `; here: ${there.join(', ')}`;
  return `${asked}${here}; ${verdict}`;
}

function lines({ name, level, found, fix, share }: GpuFinding, style: TerminalStyle): string[] {
  const sign = paint(SIGNS[level], COLOURS[level], style);
  const indent = ' '.repeat(NAME + 4);
  const head = `  ${sign} ${pad(name, NAME)}`;
  const width = Math.max(NARROWEST, style.width) - indent.length;
  const [first = '', ...rest] = wrap(found, width);
  const filled =
    share === null
      ? []
      : [`${indent}${paint(`${bar(share, BAR)} ${Math.round(share * 100)} %`, COLOURS[level], style)}`];
  const advice =
    fix === null ? [] : wrap(fix, width - 2).map((line, index) => `${indent}${index === 0 ? '→ ' : '  '}${line}`);
  return [`${head}${first}`, ...rest.map((line) => `${indent}${line}`), ...filled, ...advice];
}

function summary(findings: readonly GpuFinding[], level: GpuDiagnosis['level']): string {
  const count = (one: GpuFinding['level']): number => findings.filter((finding) => finding.level === one).length;
  const skipped = count('skipped') === 0 ? '' : ` ${count('skipped')} could not be checked (–).`;
  switch (level) {
    case 'ok':
      return `${count('ok')} checked, nothing to fix.${skipped}`;
    case 'warn':
      return `Nothing fails; ${count('warn')} to look after (!).${skipped}`;
    case 'fail':
      return `${count('fail')} ${count('fail') === 1 ? 'fails' : 'fail'} (✗)${count('warn') === 0 ? '' : `, ${count('warn')} to look after (!)`}.${skipped}`;
  }
}
