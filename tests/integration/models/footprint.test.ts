/** The need of a model, found out from files, over a registry's protocol and from a model server, without any weights. */
import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findFootprint, type FootprintSource } from '../../../activities/models/footprint/find.ts';
import type { ModelFootprint } from '../../../domain/models/footprint/footprint.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { ggufHeader, type GgufValue, uint64 } from '../../../testing/gguf-writer.ts';
import { endServer, listen, serveForTest } from '../../../testing/server.ts';
import { json, withServer } from './scripted-server.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const MODELS = path.join(import.meta.dirname, '../../ollama/models');
const never = new AbortController().signal;
const find = (source: FootprintSource): Promise<ModelFootprint> => findFootprint(source, never);
const codeOf = (source: FootprintSource): Promise<unknown> =>
  find(source).catch((error: unknown) =>
    error instanceof DeckhandError ? `${error.code}: ${error.userMessage}` : error,
  );

const number = (value: number): GgufValue => ({ type: 'uint32', value });
const LLAMA = {
  'general.architecture': { type: 'string', value: 'llama' },
  'llama.block_count': number(2),
  'llama.context_length': number(8192),
  'llama.embedding_length': number(1024),
  'llama.attention.head_count': number(8),
  'llama.attention.head_count_kv': number(4),
} as const satisfies Record<string, GgufValue>;
/** 2 layers × 4 heads × (128 + 128) × 2 bytes × 4096 tokens. */
const CACHE_GIB = (2 * 4 * 256 * 2 * 4096) / GIB;
const words: GgufValue = {
  type: 'array',
  of: 'string',
  value: Array.from({ length: 60_000 }, (_, n) => ({ type: 'string' as const, value: `word ${n}` })),
};
const template = (value: string): GgufValue => ({ type: 'string', value });

const folder = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'deckhand-footprint-'));

it('a file is read up to the end of its header, and all its parts count', async () => {
  const tiny = await find({ kind: 'file', path: path.join(MODELS, 'tiny-text.gguf') });
  expect(tiny).toMatchObject({
    architecture: 'llama',
    trainedWindow: 131_072,
    sees: false,
    thinks: false,
    digest: null,
  });
  expect(tiny).toMatchObject({ followsInstructions: false, weightsGib: 420_544 / GIB, unknown: ['the digest'] });
  expect(tiny.kvCacheGibPerSlot(4096)).toBe((2 * 4 * 32 * 2 * 4096) / GIB);
  const projectorPath = path.join(MODELS, 'tiny-clip.gguf');
  const seeing = await find({ kind: 'file', path: path.join(MODELS, 'tiny-text.gguf'), projectorPath });
  expect(seeing).toMatchObject({ sees: true, weightsGib: (420_544 + 91_936) / GIB });

  const home = await folder();
  const first = path.join(home, 'model-00001-of-00002.gguf');
  const whole = ggufHeader({
    ...LLAMA,
    'tokenizer.ggml.tokens': words,
    'tokenizer.chat_template': template('{{ enable_thinking }}'),
  });
  expect(whole.length).toBeGreaterThan(MIB);
  await writeFile(first, whole);
  expect(await codeOf({ kind: 'file', path: first })).toMatch(/^not_found: .*model-00002-of-00002\.gguf/u);
  await writeFile(path.join(home, 'model-00002-of-00002.gguf'), Buffer.alloc(3 * MIB));
  const parts = await find({ kind: 'file', path: first });
  expect(parts).toMatchObject({ weightsGib: (whole.length + 3 * MIB) / GIB, thinks: true, followsInstructions: true });
  expect(parts.kvCacheGibPerSlot(4096)).toBe(CACHE_GIB);
  await writeFile(first, whole.subarray(0, 900_000));
  expect(await codeOf({ kind: 'file', path: first })).toMatch(/^invalid_request: .*it ends within its header/u);
  expect(await codeOf({ kind: 'file', path: path.join(home, 'nothing') })).toMatch(/^not_found/u);
});

const safetensors = (header: string): Buffer =>
  Buffer.concat([uint64(Buffer.byteLength(header)), Buffer.from(header), Buffer.alloc(96)]);
const TENSORS = JSON.stringify({
  __metadata__: { format: 'pt' },
  a: { dtype: 'BF16', shape: [2, 16], data_offsets: [0, 64] },
  b: { dtype: 'F32', shape: [8], data_offsets: [64, 96] },
});
const CONFIG = JSON.stringify({
  model_type: 'llama',
  num_hidden_layers: 2,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  hidden_size: 1024,
  max_position_embeddings: 8192,
});

it('safetensors are read with the configuration beside them, one file or several', async () => {
  const home = await folder();
  const file = path.join(home, 'model.safetensors');
  expect(await codeOf({ kind: 'file', path: home })).toContain('it holds no safetensors files');
  await writeFile(file, safetensors(TENSORS));
  expect(await codeOf({ kind: 'file', path: home })).toContain('no config.json beside the weights');
  await writeFile(path.join(home, 'config.json'), CONFIG);
  await writeFile(path.join(home, 'tokenizer_config.json'), JSON.stringify({ chat_template: '<think>' }));
  for (const source of [home, file]) {
    const model = await find({ kind: 'file', path: source });
    expect(model).toMatchObject({ architecture: 'llama', weightsGib: 96 / GIB, trainedWindow: 8192, thinks: true });
    expect(model.kvCacheGibPerSlot(4096)).toBe(CACHE_GIB);
  }
  const index = { metadata: { total_size: 5 * GIB }, weight_map: { a: 'part-1.safetensors', b: 'model.safetensors' } };
  await writeFile(path.join(home, 'model.safetensors.index.json'), JSON.stringify(index));
  expect(await codeOf({ kind: 'file', path: home })).toContain('part-1.safetensors is missing');
  await writeFile(path.join(home, 'part-1.safetensors'), '');
  expect(await find({ kind: 'file', path: home })).toMatchObject({ weightsGib: 5 });
});

it.each([
  ['a length that no file has', Buffer.concat([uint64(2n ** 62n), Buffer.alloc(90)]), 'its header would have'],
  ['a header that is no JSON', safetensors('['.repeat(2000)), 'its header is no JSON object'],
  ['a tensor without a place', safetensors('{"a":{"dtype":"F32","shape":[1]}}'), 'its tensor a has no type'],
  [
    'a place that ends before it begins',
    safetensors('{"a":{"dtype":"F32","shape":[1],"data_offsets":[9,1]}}'),
    'no type',
  ],
  ['more tensors than bytes', safetensors(TENSORS).subarray(0, 230), 'it ends before its last tensor'],
  ['nothing in it', safetensors('{}'), 'it holds no tensors'],
  ['eight bytes at most', Buffer.alloc(4), 'too short'],
])('safetensors with %s are refused by name', async (_, bytes, reason) => {
  const home = await folder();
  await writeFile(path.join(home, 'config.json'), CONFIG);
  await writeFile(path.join(home, 'm.safetensors'), bytes);
  const refused = await codeOf({ kind: 'file', path: path.join(home, 'm.safetensors') });
  expect(refused).toMatch(/^invalid_request: .*m\.safetensors/u);
  expect(refused).toContain(reason);
});

/** A registry with one model whose weights would have gigabytes, and what was asked of it. */
async function registry(
  model: { readonly header: Buffer; readonly template?: string; readonly projectorBytes?: number },
  ranges = true,
): Promise<{ readonly url: string; readonly digest: string; readonly asked: string[]; readonly sent: () => number }> {
  const digestOf = (text: Buffer | string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const weights = { digest: digestOf(model.header), size: 4 * GIB };
  const layer = (kind: string, digest: string, size: number): unknown => ({
    mediaType: `application/vnd.ollama.image.${kind}`,
    digest,
    size,
  });
  const manifest = JSON.stringify(
    {
      schemaVersion: 2,
      config: { mediaType: 'application/vnd.docker.container.image.v1+json', digest: digestOf('config'), size: 6 },
      layers: [
        layer('model', weights.digest, weights.size),
        ...(model.projectorBytes === undefined ? [] : [layer('projector', digestOf('p'), model.projectorBytes)]),
        ...(model.template === undefined ? [] : [layer('template', digestOf(model.template), model.template.length)]),
        layer('license', digestOf('license'), 8000),
      ],
    },
    null,
    2,
  );
  const asked: string[] = [];
  let sent = 0;
  const rest = (response: ServerResponse): void => {
    while (!response.destroyed) {
      sent += MIB;
      if (!response.write(Buffer.alloc(MIB))) {
        response.once('drain', () => rest(response));
        return;
      }
    }
  };
  const url = await serveForTest((request, response) => {
    const where = request.url ?? '';
    asked.push(`${where} ${request.headers.range ?? ''}`.trim());
    if (where === '/v2/library/some/manifests/4b') response.end(manifest);
    else if (where.endsWith(digestOf(model.template ?? 'none'))) response.end(model.template);
    // The weights are elsewhere, as those of Ollama's registry are.
    else if (where === `/v2/library/some/blobs/${weights.digest}`)
      response.writeHead(307, { location: '/store' }).end();
    else if (where === '/store' && ranges) {
      const [, last] = /^bytes=0-(\d+)$/u.exec(request.headers.range ?? '') ?? [];
      response.writeHead(206).end(Buffer.concat([model.header, Buffer.alloc(MIB)]).subarray(0, Number(last) + 1));
    } else if (where === '/store') {
      response.writeHead(200).write(model.header);
      rest(response);
    } else response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
  });
  return { url, digest: digestOf(manifest).slice('sha256:'.length), asked, sent: () => sent };
}

it.each([
  ['sends a part', true],
  ['sends everything', false],
])('a registry that %s is asked for manifest, template and header', async (_, ranges) => {
  const header = ggufHeader({ ...LLAMA, 'tokenizer.ggml.tokens': words });
  const { url, digest, asked, sent } = await registry(
    { header, template: '{{ .Think }}', projectorBytes: GIB },
    ranges,
  );
  const model = await find({ kind: 'registry', name: 'some:4b', registryUrl: `${url}/` });
  expect(model).toMatchObject({ digest, weightsGib: 5, sees: true, thinks: true, followsInstructions: true });
  expect(model.kvCacheGibPerSlot(4096)).toBe(CACHE_GIB);
  expect(model.unknown).toEqual([]);
  expect(asked[0]).toBe('/v2/library/some/manifests/4b');
  expect(asked.filter((one) => one.startsWith('/store'))).toEqual(['/store bytes=0-262143']);
  expect(sent()).toBeLessThan(GIB);
});

it('a value behind much else is found with more of the header', async () => {
  const { 'llama.attention.head_count_kv': heads, ...first } = LLAMA;
  const bulk: GgufValue = { type: 'string', value: 'x'.repeat(700_000) };
  const { url, asked } = await registry({
    header: ggufHeader({
      ...first,
      'general.license': bulk,
      'llama.attention.head_count_kv': heads,
      'tokenizer.x': bulk,
    }),
  });
  const model = await find({ kind: 'registry', name: 'library/some:4b', registryUrl: url });
  expect(model.kvCacheGibPerSlot(4096)).toBe(CACHE_GIB);
  expect(asked.filter((one) => one.startsWith('/store'))).toHaveLength(2);
  expect(model.unknown).toEqual(['whether it thinks before it answers', 'whether it follows instructions']);
});

it('a registry that does not help is named, with what to do', async () => {
  const { url } = await registry({ header: ggufHeader(LLAMA) });
  const ask = (name: string, registryUrl = url): Promise<unknown> => codeOf({ kind: 'registry', name, registryUrl });
  const { host } = new URL(url);
  expect(await ask('other:4b')).toBe(`not_found: The registry ${host} has no model other:4b.`);
  const gone = createServer();
  const port = await listen(gone);
  await endServer(gone);
  expect(await ask('some:4b', `http://127.0.0.1:${port}`)).toMatch(
    /^service_unavailable: The registry 127\.0\.0\.1:\d+ cannot be asked for some:4b: .*ECONNREFUSED/u,
  );
  for (const name of ['../../secrets', 'a b', '', 'a:b:c', 'x/../y', 'a/b/c/d', 'http://x/y', '%2e%2e/x', 'a@b/c/d'])
    expect(await ask(name)).toMatch(/^invalid_request: .* is no name of a model/u);
  const broken = await registry({ header: Buffer.from('no model at all') });
  expect(await ask('some:4b', broken.url)).toMatch(/^invalid_request: some:4b cannot be read as a model/u);
  const answering = (status: number, body: string): Promise<string> =>
    serveForTest((_, response) => response.writeHead(status).end(body));
  expect(await ask('some:4b', await answering(200, '{"layers":[]}'))).toContain('no manifest of a model');
  expect(await ask('some:4b', await answering(401, ''))).toMatch(/^service_unavailable: .* answered 401/u);
  expect(await ask('some:4b', await answering(200, ' '.repeat(5 * MIB)))).toContain('longer than');
});

const shown = (info: Record<string, unknown>): Record<string, unknown> => ({
  capabilities: ['completion', 'thinking'],
  details: { family: 'qwen3next' },
  template: '{{ .Prompt }}',
  model_info: info,
});

it('a server that has the model is asked for the lists that decide', async () => {
  const digest = 'a'.repeat(64);
  const heads = [0, 0, 0, 2];
  const info = {
    'general.architecture': 'qwen3next',
    'qwen3next.block_count': 4,
    'qwen3next.context_length': 262_144,
    'qwen3next.attention.head_count': 16,
    'qwen3next.attention.key_length': 256,
    'qwen3next.attention.value_length': 256,
  };
  const tags = json(200, { models: [{ name: 'scripted:latest', digest, size: 3 * GIB }] });
  let answers = 0;
  // The third is the long one.
  const show = (response: ServerResponse): void => {
    answers += 1;
    const list = answers === 3 ? heads : null;
    const body = shown({ ...info, 'qwen3next.attention.head_count_kv': list });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  await withServer({ paths: { '/api/tags': tags, '/api/show': show } }, async (server) => {
    const model = await find({
      kind: 'server',
      server: { kind: 'ollama', keyFile: null, dataLeavesHost: false, url: server.host },
      model: 'scripted',
    });
    expect(model).toMatchObject({ digest, weightsGib: 3, trainedWindow: 262_144, thinks: true, sees: false });
    expect(model.followsInstructions).toBe(false);
    expect(model.kvCacheGibPerSlot(1024)).toBe((2 * 512 * 2 * 1024) / GIB);
    const asked = server.requests.filter((one) => one.path === '/api/show').map(({ body }) => body['verbose'] ?? false);
    expect(asked).toEqual([false, false, true]);
    expect(
      await codeOf({
        kind: 'server',
        server: { kind: 'ollama', keyFile: null, dataLeavesHost: false, url: server.host },
        model: 'other',
      }),
    ).toMatch(/^model_not_ready/u);
  });
});
