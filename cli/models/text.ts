/** The model catalogue for people. */
import type { CatalogDocument } from '../../api/models/schemas.ts';
import { table } from '../terminal/table.ts';
import { shownDigest } from '../../domain/models/identity.ts';

type Profile = CatalogDocument['profiles'][number];

/** Models of a profile by class or task: `qwen3-vl:8b-instruct`, or `gemma3:12b; score_answer phi4:latest`. */
function modelsText({ models }: Profile): string {
  const { 'gpu-visual': visual, 'gpu-text': text, ...tasks } = models;
  const whole = visual === text ? [visual ?? ''] : [`slides ${visual ?? '-'}`, `text ${text ?? '-'}`];
  return [...whole, ...Object.entries(tasks).map(([task, model]) => `${task} ${model}`)].join('; ');
}

const stateText = (catalog: CatalogDocument, { name, state }: Profile): string =>
  [name === catalog.default ? 'default' : '', state ?? 'no server has it'].filter(Boolean).join(', ');

/** Every profile in a line, and the servers that may be outside. */
export function renderProfiles(catalog: CatalogDocument): string {
  const leaving = catalog.servers
    .filter(({ dataLeavesHost }) => dataLeavesHost)
    .map(
      ({ name, url, changedBy }) =>
        `${name} (${url}) may be outside your network: slides leave it. Written by ${changedBy ?? 'nobody'}.`,
    );
  return [
    table(
      catalog.profiles.map((profile) => [
        profile.name,
        modelsText(profile),
        profile.owner === 'preset'
          ? 'comes with Deckhand'
          : profile.owner === 'file'
            ? 'models file'
            : `added by ${profile.changedBy ?? ''}`,
        profile.server ?? '-',
        stateText(catalog, profile),
      ]),
      { head: ['PROFILE', 'MODELS', 'FROM', 'SERVER', 'STATE'] },
    ),
    ...(leaving.length === 0 ? [] : [leaving.join('\n')]),
    'Add one: deckhand models add NAME (of your Ollama), or deckhand models add --url URL (of another server). Choose one: deckhand models use PROFILE. What one is good for: deckhand models show PROFILE.',
  ].join('\n\n');
}

/** One profile with its reason and models. */
export function renderProfile(catalog: CatalogDocument, profile: Profile, models: CatalogDocument['models']): string {
  const gib = (value: number | null): string => (value === null ? 'not known' : `${value} GiB`);
  return [
    `${profile.name} (${stateText(catalog, profile)})`,
    ...(profile.reason === null ? [] : [profile.reason]),
    '',
    table(
      models.map((model) => [
        model.name,
        model.server ?? '-',
        `${model.window} tokens`,
        model.seesPictures ? 'yes' : 'no',
        gib(model.weightsGib),
        gib(model.kvCacheGibPerSlot),
        model.licence ?? '-',
        model.digest === null ? 'as first seen' : shownDigest(model.digest),
      ]),
      { head: ['MODEL', 'SERVER', 'WINDOW', 'SEES PICTURES', 'WEIGHTS', 'PER CALL', 'LICENCE', 'DIGEST'] },
    ),
  ].join('\n');
}
