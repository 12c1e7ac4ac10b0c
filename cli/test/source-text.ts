/** What the text of a TypeScript file says, read from its syntax tree: imports, whether loading it is using it, and its meaning without its form. */
import path from 'node:path';
import { parseSync } from 'vite';

/** A node of the tree, by the fields that are read here. */
interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'];
/** Where a node is, and how a literal was written. */
const FORM = new Set(['start', 'end', 'range', 'loc', 'raw', 'parent']);
/** Wrappers that stand for the expression inside. */
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'ParenthesizedExpression',
]);
/** Syntax of types that has a value at run time all the same. */
const VALUES = new Set(['TSEnumDeclaration', 'TSParameterProperty', 'TSExportAssignment', 'TSImportEqualsDeclaration']);

/** @throws Error where the text is no TypeScript */
function parse(file: string, text: string) {
  const parsed = parseSync(path.basename(file), text);
  const [error] = parsed.errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return parsed;
}

/** Files of the checkout that a file imports at run time, relative to the checkout. */
export function importsOf(file: string, text: string): string[] {
  const { module } = parse(file, text);
  const specifiers = [
    ...module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.length > 0 && entries.every(({ isType }) => isType) ? [] : [moduleRequest.value],
    ),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest === null || isType ? [] : [moduleRequest.value])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/^['"]|['"]$/gu, ''),
    ),
  ];
  const relative = specifiers.filter((specifier) => specifier.startsWith('.'));
  return [...new Set(relative.map((specifier) => path.posix.join(path.posix.dirname(file), specifier)))];
}

/**
 * Whether what loads a file uses it: it has no function, or gives values to others, such as a table or a schema, which are read without a call.
 * Of any other file a test uses what it calls.
 */
export function isUsedByLoading(file: string, text: string): boolean {
  const { program } = parse(file, text);
  const body = program.body as unknown as readonly Node[];
  const givesValue = body.some(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !isNode(declaration)) return false;
    if (declaration.type !== 'VariableDeclaration') return declaration.type === 'TSEnumDeclaration';
    return (declaration['declarations'] as readonly Node[]).some(
      ({ init }) => !isNode(init) || !FUNCTIONS.includes(unwrapped(init).type),
    );
  });
  return givesValue || !contains(program, (node) => FUNCTIONS.includes(node.type));
}

function unwrapped(node: Node): Node {
  const inner = node['expression'];
  return WRAPPERS.has(node.type) && isNode(inner) ? unwrapped(inner) : node;
}

function contains(value: unknown, isWanted: (node: Node) => boolean): boolean {
  if (Array.isArray(value)) return value.some((each) => contains(each, isWanted));
  if (typeof value !== 'object' || value === null) return false;
  return (isNode(value) && isWanted(value)) || Object.values(value).some((each) => contains(each, isWanted));
}

/** What a file does at run time, as text: equal for two versions that differ in imports, comments, types and formatting alone. */
export function meaningOf(file: string, text: string): string {
  return JSON.stringify(stripped(parse(file, text).program));
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped).filter((each) => each !== undefined);
  if (typeof value === 'bigint' || value instanceof RegExp) return String(value);
  if (!isObject(value)) return value;
  if (isNode(value)) {
    if (WRAPPERS.has(value.type)) return stripped(value['expression']);
    const isTypeOnly = value.type.startsWith('TS') && !VALUES.has(value.type);
    if (isTypeOnly || value.type === 'ImportDeclaration') return undefined;
  }
  return Object.fromEntries(
    // A part that is absent is null in one version and a removed type in the other.
    Object.entries(value).flatMap(([field, each]) => {
      const meaning = FORM.has(field) ? undefined : stripped(each);
      return meaning === undefined || meaning === null ? [] : [[field, meaning]];
    }),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
