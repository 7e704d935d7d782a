import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

/** The labs as a page of their own, for measuring: `vite build --config vite.lab.config.ts --outDir …`. */
export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    target: ['chrome111', 'firefox115', 'safari16.4'],
    chunkSizeWarningLimit: 1_500,
    rollupOptions: { input: ['scene-lab.html'] },
  },
});
