/** Configuration of the Prisma CLI, used for `prisma generate` alone; migrations are applied by `deckhand migrate`. */
import { defineConfig } from 'prisma/config';

export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } });
