import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** Where `bigroad` serves while the page is developed. */
const SERVER = '127.0.0.1:8080';

export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../src/bigroad/web/page',
    emptyOutDir: true,
    target: ['chrome111', 'firefox115', 'safari16.4'],
    chunkSizeWarningLimit: 900,
  },
  server: {
    port: 5173,
    proxy: {
      '/api': { target: `http://${SERVER}` }, // with the Host that the browser named: the server compares it to the Origin
      '/ws': { target: `ws://${SERVER}`, ws: true },
    },
  },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
  },
});
