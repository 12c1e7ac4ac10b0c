/**
 * The models of the built-in reader and their descriptions.
 *
 * The reader is a rules engine behind Ollama's protocol. The fields in which Ollama describes a model (`details.family`, `model_info`) say so.
 * The digest of a model is the SHA-256 of the rules and what they import: changed rules are another model, so results of old rules are not reused.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { sha256Hex } from '../../platform/hash.ts';

/** Version that the server reports; 0.24 is the Ollama release whose messages and statuses it copies. */
export const READER_VERSION = '0.24.0-deckhand-reader';
/** Family shown in `/api/tags`, `/api/ps` and `/api/show`. */
export const READER_FAMILY = 'deckhand-rules';
/** Sentence that labels everything the reader produces. */
export const READER_DESCRIPTION = 'rules, not a language model';

/** A model a server knows. `installed: false` = it must be pulled first. */
export interface ReaderModel {
  /** Full name with tag. */
  readonly name: string;
  readonly capabilities: readonly ('completion' | 'vision' | 'thinking')[];
  readonly sizeBytes: number;
  readonly installed: boolean;
  /** Family that it claims to be of; that of the reader where left out. */
  readonly family?: string;
}

/** The two models of the built-in reader. */
export const DEFAULT_MODELS: readonly ReaderModel[] = [
  { name: 'reader-vision:1', capabilities: ['completion', 'vision'], sizeBytes: 2_097_152, installed: true },
  { name: 'reader-text:1', capabilities: ['completion'], sizeBytes: 1_048_576, installed: true },
];

const ROOT = join(import.meta.dirname, '../..');
const RULES_FOLDER = 'reader';
/** Modules that a file runs, which imports of types alone are not. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gmu;

/**
 * SHA-256 (hex) over names and contents of the rule files and of all they import, in name order: any of them may change a result.
 *
 * @param root Folder of the program
 */
export function rulesDigest(root = ROOT): string {
  const hash = createHash('sha256');
  for (const [name, text] of [...ruleFiles(root)].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${name}\0`).update(text).update('\0');
  return hash.digest('hex');
}

/** Contents of the files by their names below the root. */
function ruleFiles(root: string): Map<string, string> {
  const files = new Map<string, string>();
  const add = (name: string): void => {
    if (files.has(name)) return;
    const text = readFileSync(join(root, name), 'utf8');
    files.set(name, text);
    for (const [, imported = ''] of text.matchAll(IMPORT)) add(posix.join(posix.dirname(name), imported));
  };
  for (const name of readdirSync(join(root, RULES_FOLDER), { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.ts')) add(`${RULES_FOLDER}/${name}`);
  return files;
}

/** Digest of one model: the rules and the model's own name, so that the two models differ as two real models do. */
export function modelDigest(rules: string, model: ReaderModel): string {
  return sha256Hex(`${rules}\0${model.name}`);
}

/** The name as Ollama compares it: lower case, with the default tag. */
export function canonicalName(name: string): string {
  const lower = name.trim().toLowerCase();
  return lower.includes(':') ? lower : `${lower}:latest`;
}

/** The `details` object of tags, ps and show. */
export function modelDetails({ family = READER_FAMILY }: Pick<ReaderModel, 'family'>): Record<string, unknown> {
  return {
    parent_model: '',
    format: 'rules',
    family,
    families: [family],
    parameter_size: '0',
    quantization_level: 'none',
  };
}

/** Body of `/api/show`. */
export function showBody(model: ReaderModel, modifiedAt: string): Record<string, unknown> {
  return {
    modelfile: `# ${model.name}: ${READER_DESCRIPTION}\n`,
    template: '{{ .System }}{{ .Prompt }}',
    details: modelDetails(model),
    model_info: {
      'general.architecture': READER_FAMILY,
      'general.description': READER_DESCRIPTION,
      'general.parameter_count': 0,
      [`${READER_FAMILY}.context_length`]: 131_072,
    },
    capabilities: model.capabilities,
    modified_at: modifiedAt,
  };
}
