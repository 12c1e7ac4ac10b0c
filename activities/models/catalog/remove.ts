/** Removes entries of the model catalogue, and refuses where other entries, the default or open decks use one. */
import { DeckhandError } from '../../../domain/errors.ts';
import { checkOwner, columnsOf, readSeen, refused, type Change } from './change.ts';
import { keepForOpenRuns, OPEN } from './kept.ts';
import { catalogOfRows, type CatalogRows, type Tx } from './read.ts';
import type { Catalog } from '../../../domain/models/catalog/catalog.ts';

/**
 * Removes an entry. Open decks of a removed profile finish on what they began with.
 *
 * @throws DeckhandError `not_found`; `conflict` for a preset, an entry of the file, and what other entries or the default name; a default that leaves the file gives
 *   way to the profile of the installation
 */
export async function removeEntry(
  { tx, author, models, handedOver }: Change,
  kind: 'server' | 'model' | 'profile',
  name: string,
): Promise<void> {
  const { rows, catalog } = await readSeen(tx, author);
  const present = {
    server: rows.servers,
    model: rows.models,
    profile: rows.profiles.filter((row) => catalog.profiles.some((profile) => profile.name === row.name)),
  }[kind];
  const row = present.find((each) => each.name === name);
  const isKnown = { server: catalog.servers, model: catalog.models, profile: catalog.profiles }[kind].some(
    (each) => each.name === name,
  );
  if (row === undefined && isKnown)
    throw refused(`The ${kind} ${name} comes with Deckhand.`, 'It costs nothing as long as nothing uses it.');
  if (row === undefined) {
    const known = present.map((each) => each.name).join(', ');
    throw new DeckhandError('not_found', `There is no ${kind} "${name}".`, {
      hint: known === '' ? `No ${kind} was added.` : `Known: ${known}.`,
    });
  }
  checkOwner(`The ${kind} ${name}`, row, author);
  const use = await useOf({ tx, author }, kind, name, { rows, catalog });
  if (use !== null && author.owner !== 'file') throw use;
  // Nobody could change what uses it: Deckhand would not start.
  if (use !== null) {
    const where = { name };
    const data = columnsOf({ ...author, owner: 'api' });
    if (kind === 'server') await tx.modelServer.update({ where, data });
    if (kind === 'model') await tx.configuredModel.update({ where, data });
    handedOver.push(use.userMessage);
    return;
  }
  switch (kind) {
    case 'server':
      await tx.modelServer.delete({ where: { name } });
      break;
    case 'model':
      await tx.configuredModel.delete({ where: { name } });
      models.add(name);
      break;
    case 'profile':
      await tx.modelProfile.update({ where: { name }, data: { removedAt: author.at, ...columnsOf(author) } });
      await keepForOpenRuns(tx, name);
      await tx.modelConfiguration.deleteMany({ where: { profile: name } });
      break;
  }
}

/** The refusal of removing an entry that is in use; null = nothing uses it. A default that leaves the file is none any more. */
async function useOf(
  { tx, author }: Pick<Change, 'tx' | 'author'>,
  kind: 'server' | 'model' | 'profile',
  name: string,
  { rows, catalog }: { readonly rows: CatalogRows; readonly catalog: Catalog },
): Promise<DeckhandError | null> {
  if (kind === 'profile') {
    const choice = await tx.modelChoice.findUnique({ where: { id: 1 } });
    if (choice?.profile !== name) return null;
    if (author.owner === 'file') {
      await tx.modelChoice.delete({ where: { id: 1 } });
      return null;
    }
    return refused(
      `${name} is the profile of new analyses.`,
      'Choose another one first: ./deckhand models use PROFILE',
    );
  }
  const users =
    kind === 'server'
      ? rows.models.filter(({ server }) => server === name).map((model) => `model ${model.name}`)
      : catalogOfRows(rows)
          .profiles.filter(({ models }) => Object.values(models).includes(name))
          .map((profile) =>
            catalog.profiles.some((seen) => seen.name === profile.name)
              ? `profile ${profile.name}`
              : 'a profile of another tenant',
          );
  if (users.length > 0)
    return refused(`The ${kind} ${name} is used by ${users.join(', ')}.`, 'Remove or change that first.');
  const decks = kind === 'model' ? await openDecksOf(tx, name) : 0;
  if (decks === 0) return null;
  return refused(
    `The model ${name} answers ${decks === 1 ? 'an open deck' : `${decks} open decks`}.`,
    'Wait for their end or cancel them, and remove it then.',
  );
}

/** Open analyses that a model answers. */
async function openDecksOf(tx: Tx, modelName: string): Promise<number> {
  const rows = await tx.modelConfiguration.findMany({
    where: { modelName },
    select: { tenantId: true, profile: true },
    distinct: ['tenantId', 'profile'],
  });
  if (rows.length === 0) return 0;
  const using = rows.map(({ tenantId, profile: modelProfile }) => ({ tenantId, modelProfile }));
  return tx.analysis.count({ where: { ...OPEN, OR: using } });
}
