/**
 * What an evaluation was made with: models, prompts, templates and code; and how two of them differ.
 */
import { provenancesOf } from '../decks/provenance.ts';
import type { AnalysisReport, Provenance } from '../decks/report.ts';
import { shownDigest } from '../models/identity.ts';

/** Version of the code that reviewed; null = the API of another machine, which does not say. */
export interface CodeVersion {
  /** Hash over every source that a review depends on. */
  readonly hash: string;
  /** Commit of the checkout, with `+` where files differ from it; null outside a repository. */
  readonly commit: string | null;
}

/** What the results of one model task were made with: more than one of a kind where decks differ. */
export interface TaskMaking {
  readonly task: string;
  /** `gemma3:12b @ 0123456789ab`. */
  readonly models: readonly string[];
  /** `v1`. */
  readonly promptVersions: readonly string[];
}

/** What a run was made with. */
export interface Making {
  readonly code: CodeVersion | null;
  /** What answered, as people read it: `rules, not a language model`. */
  readonly engines: readonly string[];
  readonly servers: readonly string[];
  /** `seven_chapter_review v1`. */
  readonly templates: readonly string[];
  readonly tasks: readonly TaskMaking[];
}

const CODE_HASH_CHARS = 12;
const modelOf = ({ model, modelDigest }: Provenance): string => `${model} @ ${shownDigest(modelDigest)}`;

const distinct = (values: readonly string[]): string[] =>
  [...new Set(values)].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/** What the reviews of a run were made with. */
export function makingOf(reports: readonly AnalysisReport[], code: CodeVersion | null): Making {
  const all = reports.flatMap(provenancesOf);
  const tasks = distinct(all.map(({ task }) => task));
  return {
    code,
    engines: distinct(reports.flatMap(({ engine }) => (engine === null ? [] : [engine.label]))),
    servers: distinct(all.map(({ serverVersion }) => serverVersion)),
    templates: distinct(
      reports.flatMap(({ template }) =>
        template.slug === null ? [] : [`${template.slug} v${template.version ?? '?'}`],
      ),
    ),
    tasks: tasks.map((task) => {
      const results = all.filter((provenance) => provenance.task === task);
      return {
        task,
        models: distinct(results.map(modelOf)),
        promptVersions: distinct(results.map(({ promptVersion }) => `v${promptVersion}`)),
      };
    }),
  };
}

/** Something that differs between two runs; null = it has none. */
export interface MakingChange {
  readonly what: 'code' | 'engine' | 'server' | 'template' | 'model' | 'prompt';
  /** Set for models and prompts. */
  readonly task: string | null;
  readonly a: string | null;
  readonly b: string | null;
}

/** What differs between two runs, code first. */
export function makingChanges(a: Making, b: Making): MakingChange[] {
  const change = (
    what: MakingChange['what'],
    task: string | null,
    of: readonly [string[], string[]],
  ): MakingChange[] => {
    const [before, after] = of.map((values) => (values.length === 0 ? null : values.join(', '))) as [string, string];
    return before === after ? [] : [{ what, task, a: before, b: after }];
  };
  const tasks = distinct([...a.tasks, ...b.tasks].map(({ task }) => task));
  const taskOf = (making: Making, task: string): TaskMaking =>
    making.tasks.find((each) => each.task === task) ?? { task, models: [], promptVersions: [] };
  const isSameCode = a.code?.hash === b.code?.hash;
  return [
    ...(isSameCode ? [] : change('code', null, [codeWords(a.code), codeWords(b.code)])),
    ...change('engine', null, [[...a.engines], [...b.engines]]),
    ...change('server', null, [[...a.servers], [...b.servers]]),
    ...change('template', null, [[...a.templates], [...b.templates]]),
    ...tasks.flatMap((task) => [
      ...change('model', task, [[...taskOf(a, task).models], [...taskOf(b, task).models]]),
      ...change('prompt', task, [[...taskOf(a, task).promptVersions], [...taskOf(b, task).promptVersions]]),
    ]),
  ];
}

const codeWords = (code: CodeVersion | null): string[] =>
  code === null
    ? []
    : [`${code.hash.slice(0, CODE_HASH_CHARS)}${code.commit === null ? '' : ` (commit ${code.commit})`}`];

/** A model that is configured for a task, as far as it decides results. */
export interface ConfiguredModel {
  readonly task: string;
  readonly model: string;
  /** Null until a host has shown the model. */
  readonly pinnedDigest: string | null;
  readonly numCtx: number;
  readonly numPredict: number;
  readonly temperature: number;
}

/** Whether every result of a review was made with the models and options that are configured now. */
export function isMadeWith(report: AnalysisReport, configured: readonly ConfiguredModel[]): boolean {
  const bare = (digest: string): string => digest.replace('sha256:', '');
  return provenancesOf(report).every(({ task, model, modelDigest, options }) => {
    const now = configured.find((each) => each.task === task);
    if (now === undefined || now.model !== model) return false;
    if (now.pinnedDigest !== null && bare(now.pinnedDigest) !== bare(modelDigest)) return false;
    return (
      now.numCtx === options.numCtx && now.numPredict === options.numPredict && now.temperature === options.temperature
    );
  });
}
