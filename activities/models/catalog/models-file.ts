/** Brings the catalogue in the database to the models file. */
import { isDeepStrictEqual } from 'node:util';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Catalog } from '../../../domain/models/catalog/catalog.ts';
import { changeCatalog, putModel, putProfile, putServer } from './change.ts';
import { catalogOfRows, readCatalog } from './read.ts';
import { removeEntry } from './remove.ts';

/** An entry of the catalogue by its kind and name. */
type EntryName = `${'server' | 'model' | 'profile'} ${string}`;

/** Entries that a models file changed. */
export interface FileChanges {
  readonly written: readonly EntryName[];
  readonly left: readonly EntryName[];
  /** For people: entries that left the file and are the API's now, because others use them. */
  readonly handedOver: readonly string[];
}

/**
 * Brings the database to the models file: its entries are written, those that have left it are removed, or are the API's from then on where others
 * use them. Repeating it changes nothing.
 *
 * @throws DeckhandError of `checkedProfile` for a profile of the API that the file would break
 */
export async function applyModelsFile(db: PrismaClient, file: Catalog, at: Date): Promise<FileChanges> {
  const { rows } = await readCatalog(db);
  const before = catalogOfRows(rows);
  const isSame = (kind: keyof Catalog, { name }: { readonly name: string }, entry: object): boolean =>
    rows[kind].some((row) => row.name === name && row.owner === 'file') &&
    isDeepStrictEqual(
      before[kind].find((each) => each.name === name),
      entry,
    );
  const changed = <Entry extends { readonly name: string }>(kind: keyof Catalog, entries: readonly Entry[]): Entry[] =>
    entries.filter((entry) => !isSame(kind, entry, entry));
  const left = (kind: keyof Catalog): string[] =>
    before[kind]
      .map(({ name }) => name)
      .filter((name) => rows[kind].some((row) => row.name === name && row.owner === 'file'))
      .filter((name) => !file[kind].some((entry) => entry.name === name));
  const written: EntryName[] = [];
  const gone: EntryName[] = [];
  const { handedOver } = await changeCatalog(db, { owner: 'file', by: 'the models file', at }, async (change) => {
    for (const server of changed('servers', file.servers)) {
      await putServer(change, server);
      written.push(`server ${server.name}`);
    }
    for (const model of changed('models', file.models)) {
      await putModel(change, model);
      written.push(`model ${model.name}`);
    }
    for (const profile of changed('profiles', file.profiles)) {
      await putProfile(change, profile, null);
      written.push(`profile ${profile.name}`);
    }
    for (const kind of ['profile', 'model', 'server'] as const)
      for (const name of left(`${kind}s`)) {
        await removeEntry(change, kind, name);
        gone.push(`${kind} ${name}`);
      }
  });
  return { written, left: gone, handedOver };
}
