/**
 * Prisma's official schema engine as WebAssembly: migrations without the binary that the Prisma CLI downloads.
 *
 * The module is instantiated by hand instead of imported, because Node warns about WebAssembly imports on every start.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';

export type SchemaEngine = engineModule.SchemaEngine;
export type DiffTarget = engineModule.DiffTarget;
export type MigrationList = engineModule.MigrationList;

/** Nothing is managed outside the schema. */
export const NO_FILTER = { externalTables: [], externalEnums: [] };

/** Global of every Node; TypeScript declares it with the browser's types only. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ readonly instance: { readonly exports: Record<string, unknown> } }>;
};

let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  const wasmUrl = new URL('schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm'));
  const { instance } = await WebAssembly.instantiate(await readFile(fileURLToPath(wasmUrl)), {
    './schema_engine_bg.js': { ...engineModule },
  });
  engineModule.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start === 'function') start();
}

/** Runs `work` with an engine connected to a database. */
export async function withSchemaEngine<T>(databaseUrl: string, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  return withAdapter(new PrismaPg({ connectionString: databaseUrl }), work);
}

/** SQL that leads from one schema to another. Both are compared inside the engine; no database is spoken to. */
export async function diffSchemas(from: DiffTarget, to: DiffTarget): Promise<string> {
  const { stdout } = await withAdapter(new NoDatabase(), (engine) =>
    engine.diff({ from, to, script: true, exitCode: null, filters: NO_FILTER }),
  );
  return stdout ?? '';
}

async function withAdapter<T>(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await (loading ??= load());
  const engine = await engineModule.SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
  }
}

/** The engine wants a connection even to compare two schemas: it looks for the schema `public` and would create it. This one lets it believe so. */
class NoDatabase implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = 'postgres' as const;
  readonly adapterName = 'no-database';

  async connect(): Promise<SqlDriverAdapter> {
    const refuse = (): Promise<never> => Promise.reject(new Error('comparing schemas needs no database'));
    return {
      provider: this.provider,
      adapterName: this.adapterName,
      queryRaw: async () => ({ columnNames: [], columnTypes: [], rows: [] }),
      executeRaw: async () => 0,
      executeScript: refuse,
      startTransaction: refuse,
      dispose: async () => undefined,
    };
  }

  connectToShadowDb(): Promise<SqlDriverAdapter> {
    return this.connect();
  }
}
