/**
 * Prisma's official schema engine as WebAssembly: migrations without the binary that the Prisma CLI downloads.
 *
 * The module is instantiated by hand instead of imported, because Node warns about WebAssembly imports on every start. The
 * adapter's method that runs a script is replaced: it splits at every semicolon, also inside a function body, and commits after each part.
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
import { Pool } from 'pg';

export type SchemaEngine = engineModule.SchemaEngine;
export type DiffTarget = engineModule.DiffTarget;
export type MigrationList = engineModule.MigrationList;

/** No tables are managed outside the schema. */
export const NO_FILTER = { externalTables: [], externalEnums: [] };

/** A global of Node; TypeScript declares it with the browser's types only. */
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
    './schema_engine_bg.js': withoutHoldingTimers({ ...engineModule }),
  });
  engineModule.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start === 'function') start();
}

/** The engine's timers outlive it; without this they would keep the process alive for ten seconds. */
function withoutHoldingTimers(imports: Record<string, unknown>): Record<string, unknown> {
  const replaced = Object.entries(imports).map(([name, value]): [string, unknown] => {
    if (!name.startsWith('__wbg_setTimeout_') || typeof value !== 'function') return [name, value];
    return [name, (callback: () => void, delayMs: number) => setTimeout(callback, delayMs >>> 0).unref()];
  });
  return Object.fromEntries(replaced);
}

/** Changes a script of the engine before it is sent to the database. */
export type ScriptWrapper = (script: string) => string;

/** Runs `work` with an engine connected to a database. Each script, changed by `wrap`, runs in one transaction. */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  wrap: ScriptWrapper,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1, application_name: 'deckhand-migrate' });
  try {
    return await withAdapter(new WholeScripts(pool, wrap), work);
  } finally {
    // The engine leaves its connection open, and an open one keeps the process alive.
    await pool.end();
  }
}

/** SQL that leads from one schema to another. Both are compared inside the engine; no database is used. */
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

/** Prisma's adapter, except that a script is one simple query, which Postgres runs completely or not at all. */
class WholeScripts implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = 'postgres' as const;
  readonly adapterName = '@prisma/adapter-pg';
  readonly #pool: Pool;
  readonly #wrap: ScriptWrapper;

  constructor(pool: Pool, wrap: ScriptWrapper) {
    this.#pool = pool;
    this.#wrap = wrap;
  }

  async connect(): Promise<SqlDriverAdapter> {
    const adapter = await new PrismaPg(this.#pool).connect();
    adapter.executeScript = async (script) => {
      await adapter.executeRaw({ sql: this.#wrap(script), args: [], argTypes: [] });
    };
    return adapter;
  }

  connectToShadowDb(): Promise<SqlDriverAdapter> {
    return Promise.reject(new Error('no shadow database is used'));
  }
}

/** The engine needs a connection even to compare two schemas: it checks for the schema `public`. This one pretends that it exists. */
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
