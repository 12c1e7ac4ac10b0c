/** Documents of the models, and the definitions of their routes. */
import { z } from '@hono/zod-openapi';
import {
  catalogName,
  modelName,
  modelSchema,
  profileSchema,
  serverSchema,
} from '../../domain/models/catalog/catalog.ts';
import { serverUrl } from '../../domain/models/server-url.ts';
import { modelFindingsSchema } from '../../domain/models/probes/findings.ts';
import { SERVER_KINDS } from '../../domain/models/server-kind.ts';
import { json, jsonBody, nameParam, problems, route } from '../http/definition.ts';

export const modelListSchema = z
  .object({
    items: z.array(
      z.object({
        profile: z.string(),
        task: z.string(),
        model: z.string(),
        /** Null until a host has shown the model. */
        pinnedDigest: z.string().nullable(),
        pinnedAt: z.iso.datetime().nullable(),
        numCtx: z.int(),
        numPredict: z.int(),
        temperature: z.number(),
      }),
    ),
  })
  .openapi('ModelList');
export type ModelList = z.infer<typeof modelListSchema>;

export const listRoute = route('get', '/models', {
  summary: 'Which model answers which task.',
  responses: { 200: json(modelListSchema, 'The model configuration.') },
});

export const unpinRoute = route('delete', '/models/{profile}/pins', {
  summary:
    'Accept the models of the hosts: removes the pinned digests of a profile; the gateway then pins those it finds.',
  request: { params: z.object({ profile: catalogName }) },
  responses: {
    200: json(modelListSchema, 'Removed. Analyses wait until a host has shown its models.'),
    ...problems(400, 404, 409),
  },
});

/** Owner of an entry: `preset` comes with Deckhand, `file` stands in models.json, `api` was added. */
const owner = z.enum(['preset', 'file', 'api']);
const byWhom = {
  owner,
  /** Null for presets. */
  changedBy: z.string().nullable(),
  changedAt: z.iso.datetime().nullable(),
};

/** States of a profile that something holds. */
const PROFILE_STATES = ['ready', 'being checked', 'does not answer'] as const;
export type ProfileState = (typeof PROFILE_STATES)[number];

export const catalogSchema = z
  .object({
    /** Profile of new analyses that name none. */
    default: z.string(),
    /** Profile whose models answer in the queues of all pools. */
    installed: z.string(),
    servers: z.array(z.object({ ...serverSchema.shape, ...byWhom })),
    models: z.array(z.object({ ...modelSchema.shape, ...byWhom })),
    profiles: z.array(
      z.object({
        ...profileSchema.shape,
        models: z.record(z.string(), z.string()),
        ...byWhom,
        /** Null: of the installation. */
        tenantId: z.string().nullable(),
        /** Server that answers with it; null: the servers in use, or the machines of a pool. */
        server: z.string().nullable(),
        /** Whether something here holds its models, so that an analysis may name it now. */
        isServed: z.boolean(),
        state: z.enum(PROFILE_STATES).nullable().openapi({
          description:
            'Whether a model server that holds its models answers; machines that are rented for work are `ready`. Null: nothing holds them.',
        }),
      }),
    ),
  })
  .openapi('ModelCatalog');
export type CatalogDocument = z.infer<typeof catalogSchema>;

const changed = (what: string) => ({ 200: json(catalogSchema, what), ...problems(400, 404, 409, 422) });

export const catalogRoute = route('get', '/models/catalog', {
  summary: 'Servers, models and profiles: those that come with Deckhand, of the models file, and added ones.',
  responses: { 200: json(catalogSchema, 'The catalogue.') },
});

export const addModelSchema = z
  .strictObject({
    /** As its server lists it, such as `qwen3-vl:8b-instruct`; or a preset, whose models are added. */
    model: modelName.optional().openapi({ description: 'Left out: the one model that the server has.' }),
    server: z
      .union([catalogName, serverUrl], {
        error:
          'must be an http:// or https:// URL without user, password, query and fragment, such as http://127.0.0.1:11434, or the name of a server that was added',
      })
      .nullish()
      .openapi({
        description:
          'URL of the server that has it, or the name of one that was added. Left out: the Ollama of this machine. Null: machines of a pool pull it.',
      }),
    kind: z.enum(SERVER_KINDS).optional().openapi({
      description:
        'Protocol of the server: that of Ollama, or that of OpenAI, which vLLM, SGLang, llama-server and gateways speak. Left out: as configured, or as the server answers.',
    }),
    keyFile: z
      .string()
      .min(1)
      .optional()
      .openapi({ description: 'File with the key of the server, where the gateway and the API run.' }),
    dataLeavesHost: z.boolean().optional().openapi({
      description:
        'True: the server may be outside your network, and slides leave it then. Left out: as configured; a new server has to be inside.',
    }),
    profile: catalogName.optional().openapi({ description: 'Name of its profile; by default made of its own.' }),
    visual: modelName.optional().openapi({
      description: 'Model that looks at slides, where this one sees no pictures; on the same server.',
    }),
    window: z.int().min(4096).optional(),
    digest: modelSchema.shape.digest.unwrap().unwrap().optional(),
    weightsGib: z.number().min(0).optional(),
    kvCacheGibPerSlot: z.number().min(0).optional(),
    languages: modelSchema.shape.languages.unwrap().optional(),
    seesPictures: z.boolean().optional(),
    file: z.string().min(1).optional().openapi({
      description: 'GGUF or safetensors file, or folder, that says what the model needs; on the machine of the API.',
    }),
    /** True: a profile of the tenant of the key, not of the installation. */
    ofTenant: z.boolean().default(false),
  })
  .openapi('AddModel');
export type AddModel = z.infer<typeof addModelSchema>;

export const addRoute = route('post', '/models/add', {
  summary: 'Add a model of a server: asks the server for it, and makes a profile in which it answers.',
  request: { body: jsonBody(addModelSchema) },
  responses: {
    200: json(
      z
        .object({
          profile: z.string(),
          server: z.string().nullable(),
          models: z.array(modelSchema),
          /** For people: what was found, a sentence each. */
          notes: z.array(z.string()),
        })
        .openapi('AddedModel'),
      'Added, or changed where it was there.',
    ),
    ...problems(400, 403, 404, 409, 422, 503),
  },
});

export const putServerRoute = route('put', '/models/servers/{name}', {
  summary: 'Add or change a model server.',
  request: { params: nameParam, body: jsonBody(serverSchema.omit({ name: true })) },
  responses: changed('The catalogue as it is now.'),
});
export const putModelRoute = route('put', '/models/entries', {
  summary: 'Add or change a model, without asking a server.',
  request: { body: jsonBody(modelSchema) },
  responses: changed('The catalogue as it is now.'),
});
export const putProfileRoute = route('put', '/models/profiles/{name}', {
  summary: 'Add or change a profile. Open decks finish on what they began with.',
  request: {
    params: nameParam,
    body: jsonBody(
      profileSchema
        .omit({ name: true })
        .extend({ models: z.record(z.string(), modelName), ofTenant: z.boolean().default(false) }),
    ),
  },
  responses: changed('The catalogue as it is now.'),
});
export const removeRoute = route('delete', '/models/catalog', {
  summary: 'Remove a server, a model or a profile. Open decks of a profile finish on what they began with.',
  request: {
    query: z.object({ kind: z.enum(['server', 'model', 'profile']), name: modelName }),
  },
  responses: changed('The catalogue as it is now.'),
});
export const chooseRoute = route('put', '/models/default', {
  summary: 'Choose the profile of new analyses that name none.',
  request: { body: jsonBody(z.strictObject({ profile: catalogName })) },
  responses: changed('The catalogue as it is now.'),
});

export const tryRoute = route('post', '/models/try', {
  summary: 'Have every model of a profile answer once: an answer that fits a schema.',
  request: {
    body: jsonBody(
      z.strictObject({
        profile: catalogName,
        isLook: z.boolean().default(false).openapi({
          description: 'True: nothing is loaded; a model that the server has counts as answered.',
        }),
      }),
    ),
  },
  responses: {
    200: json(
      z
        .object({
          items: z.array(
            z.object({
              model: z.string(),
              url: z.string(),
              isAnswered: z.boolean(),
              loadMs: z.number(),
              answerMs: z.number(),
              /** Null when it answered. */
              reason: z.string().nullable(),
            }),
          ),
        })
        .openapi('ModelTrials'),
      'One entry per model of the profile.',
    ),
    ...problems(400, 404, 409),
  },
});

const speedSchema = z.object({ readTokensPerSec: z.number(), writeTokensPerSec: z.number() });

export const probesSchema = z
  .object({
    models: z.array(
      z.object({
        model: z.string(),
        digest: z.string(),
        serverVersion: z.string(),
        checkedAt: z.iso.datetime(),
        findings: modelFindingsSchema,
        /** The findings in words, a row for each probe. */
        table: z.array(z.object({ probe: z.string(), found: z.string() })),
      }),
    ),
    machines: z.array(
      z.object({
        instance: z.string(),
        model: z.string(),
        digest: z.string(),
        alone: speedSchema,
        /** Of each call while every slot is in use; null: not measured. */
        full: speedSchema.nullable(),
        /** Calls that the server works on at a time; null: not known. */
        slots: z.int().nullable(),
        /** How the memory that it takes differs from what is configured; null: it does not, or was not measured. */
        needFinding: z.string().nullable(),
        samples: z.int(),
        measuredAt: z.iso.datetime(),
      }),
    ),
  })
  .openapi('ModelProbes');
export type ProbesDocument = z.infer<typeof probesSchema>;

export const probesRoute = route('get', '/models/probes', {
  summary: 'What the readiness checks found out about models, and how fast each machine is with them.',
  request: {
    query: z.strictObject({
      model: modelName.optional().openapi({ description: 'Name of a model; without it all of them.' }),
    }),
  },
  responses: { 200: json(probesSchema, 'The findings, the latest first, and the speeds.'), ...problems(400, 404) },
});
