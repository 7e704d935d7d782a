/** Line icons, 24 x 24, stroke 1.75. Paths only: `Icon.svelte` draws them. */

export const ICONS = {
  undo: 'M9 5 4.5 9.5 9 14M5 9.5h9a5 5 0 0 1 0 10h-3',
  clear: 'M6 6l12 12M18 6 6 18',
  rebet:
    'M19 8.5A7.5 7.5 0 0 0 5.3 9M5 15.5A7.5 7.5 0 0 0 18.7 15M19.5 4.5v4.2h-4.2M4.5 19.5v-4.2h4.2',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  expand: 'M14 4.5h5.5V10M10 19.5H4.5V14M19.5 4.5l-6 6M4.5 19.5l6-6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  people:
    'M12 9a3 3 0 1 1-6 0a3 3 0 0 1 6 0M3.5 19c.5-3.3 2.6-5 5.5-5s5 1.7 5.5 5M15.5 6.3a3 3 0 0 1 0 5.4M17 14.3c2 .6 3.2 2.1 3.5 4.7',
  info: 'M20.5 12a8.5 8.5 0 1 1-17 0a8.5 8.5 0 0 1 17 0M12 11v5M12 8v.1',
} as const;

export type IconName = keyof typeof ICONS;
