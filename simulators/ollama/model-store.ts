/** The models that a reader knows and whether they are installed, for `/api/tags`, `/api/show`, `/api/pull` and `/api/delete`. */
import { canonicalName, modelDetails, modelDigest, rulesDigest, showBody, type ReaderModel } from './catalog.ts';
import { OllamaRefusal } from './protocol.ts';
import type { LoadedModel } from './scheduler.ts';
import { sleep } from './waiting.ts';

/** Models by canonical name. */
export class ModelStore {
  readonly #models = new Map<string, ReaderModel>();
  readonly #installed = new Set<string>();
  readonly #rulesDigest = rulesDigest();
  readonly #startedAt = new Date().toISOString();

  constructor(models: readonly ReaderModel[]) {
    for (const model of models) {
      this.#models.set(canonicalName(model.name), model);
      if (model.installed) this.#installed.add(canonicalName(model.name));
    }
  }

  /** The installed model of that name. @throws OllamaRefusal 404 */
  find(name: string): ReaderModel {
    const key = canonicalName(name);
    const model = this.#installed.has(key) ? this.#models.get(key) : undefined;
    if (model === undefined) throw new OllamaRefusal(404, `model '${name}' not found`);
    return model;
  }

  remove(name: string): ReaderModel {
    const model = this.find(name);
    this.#installed.delete(canonicalName(model.name));
    return model;
  }

  /**
   * Installs a model, reporting progress as Ollama does, within `pullMs` milliseconds.
   *
   * @throws OllamaRefusal for an unknown model
   */
  async pull(
    name: string,
    pullMs: number,
    report: (line: Record<string, unknown>) => void,
    signal: AbortSignal,
  ): Promise<void> {
    report({ status: 'pulling manifest' });
    const key = canonicalName(name);
    const model = this.#models.get(key);
    if (model === undefined) throw new OllamaRefusal(500, 'pull model manifest: file does not exist');
    const digest = `sha256:${this.#digest(model)}`;
    const steps = this.#installed.has(key) ? 1 : 4;
    for (let step = 1; step <= steps; step += 1) {
      await sleep(steps === 1 ? 0 : pullMs / steps, signal);
      const completed = Math.round((model.sizeBytes * step) / steps);
      report({ status: `pulling ${digest.slice(7, 19)}`, digest, total: model.sizeBytes, completed });
    }
    for (const status of ['verifying sha256 digest', 'writing manifest']) report({ status });
    this.#installed.add(key);
    report({ status: 'success' });
  }

  /** Body of `/api/show`. */
  show(name: string): Record<string, unknown> {
    return showBody(this.find(name), this.#startedAt);
  }

  /** The installed models with their digests. */
  installed(): { readonly model: ReaderModel; readonly digest: string }[] {
    return [...this.#models.values()]
      .filter((model) => this.#installed.has(canonicalName(model.name)))
      .map((model) => ({ model, digest: this.#digest(model) }));
  }

  /** Entries of `/api/tags`. */
  tags(): unknown[] {
    return this.installed().map(({ model, digest }) => ({
      name: model.name,
      model: model.name,
      modified_at: this.#startedAt,
      size: model.sizeBytes,
      digest,
      details: modelDetails(model),
    }));
  }

  /** Entry of `/api/ps` for a model in memory. */
  loadedEntry(loaded: LoadedModel): unknown {
    const model = this.#models.get(canonicalName(loaded.name));
    return {
      name: loaded.name,
      model: loaded.name,
      size: loaded.sizeBytes,
      digest: model === undefined ? '' : this.#digest(model),
      details: modelDetails(model ?? {}),
      expires_at: new Date(loaded.expiresAtMs).toISOString(),
      size_vram: loaded.cpu ? 0 : loaded.sizeBytes,
      context_length: loaded.numCtx,
    };
  }

  #digest(model: ReaderModel): string {
    return modelDigest(this.#rulesDigest, model);
  }
}
