/**
 * Bundles the workspace into generated/web, with a brotli and a gzip form of each text file beside it, so that the API compresses nothing.
 * The launcher runs it once per state of the sources; it needs no network.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The API replaces it by a new nonce in each answer. */
const NONCE_PLACEHOLDER = 'deckhand-nonce';
const TEXT_FILE = /\.(?:js|css|svg)$/u;

const compressors = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Writes the compressed forms after a build. */
function compressedFiles(): Plugin {
  let folder = '';
  return {
    name: 'deckhand:compressed-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir);
    },
    closeBundle: async () => {
      const names = await readdir(folder, { recursive: true });
      for (const name of names.filter((each) => TEXT_FILE.test(each))) {
        const file = path.join(folder, name);
        const content = await readFile(file);
        for (const [extension, compress] of Object.entries(compressors)) {
          await writeFile(`${file}.${extension}`, await compress(content));
        }
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: path.join(ROOT, 'node_modules/.vite'),
  plugins: [react(), tailwindcss(), compressedFiles()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    outDir: path.join(ROOT, 'generated/web'),
    emptyOutDir: true,
    target: 'es2024',
    // A data URL of a font or picture would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
