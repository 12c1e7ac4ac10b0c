/**
 * Worker process of the bare fan-out. Arguments: Temporal address, namespace, data directory, model host, slots, image file. It ends with its
 * parent.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Context } from '@temporalio/activity';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Ollama } from 'ollama';
import { toModelSchema } from '../../domain/models/json-schema.ts';
import { describeSlideSchema } from '../../domain/models/result-schemas.ts';
import { slideUserMessage } from '../../domain/models/prompt-assembly.ts';
import { loadConfig } from '../../platform/config.ts';
import { temporalDataConverter } from '../../platform/temporal/data-converter.ts';
import { exitWithParent } from '../../runtime/supervisor/exit-with-parent.ts';
import { PROMPTS } from '../../prisma/seed/prompts.ts';

/** Queue of the bare fan-out. */
const QUEUE = 'bench-bare';

const [address, namespace, home, modelHost, slots, imageFile] = process.argv.slice(2);
if (imageFile === undefined) throw new Error('usage: bare-worker ADDRESS NAMESPACE HOME MODEL_HOST SLOTS IMAGE');

exitWithParent();
Runtime.install({ logger: new DefaultLogger('WARN') });
const image = new Uint8Array(await readFile(imageFile));
const format = toModelSchema(describeSlideSchema, 'describe_slide');
const system = PROMPTS.find((p) => p.slug === 'describe_slide')?.body ?? '';
const ollama = new Ollama({ host: modelHost ?? '' });

const connection = await NativeConnection.connect({ address: address ?? '' });
const worker = await Worker.create({
  connection,
  namespace: namespace ?? 'default',
  dataConverter: temporalDataConverter({ ...loadConfig(), home: home ?? '' }),
  taskQueue: QUEUE,
  workflowsPath: path.join(import.meta.dirname, 'bare-workflows.ts'),
  maxConcurrentActivityTaskExecutions: Number(slots),
  activities: {
    noOp: async () => undefined,
    bareCall: async (index: number) => {
      Context.current().heartbeat();
      const stream = await ollama.chat({
        model: 'reader-vision:1',
        stream: true,
        keep_alive: -1,
        format,
        options: { num_ctx: 32_768, num_predict: 2048, temperature: 0.2 },
        messages: [
          { role: 'system', content: system },
          {
            role: 'user',
            content: slideUserMessage({ number: (index % 500) + 1, markup: `bare call ${index}` }),
            images: [image],
          },
        ],
      });
      for await (const part of stream) if (part.done) break;
    },
  },
});
process.stdout.write('ready\n');
await worker.run();
await connection.close();
// The watched pipe of the parent would keep the process alive.
process.exit(0);
