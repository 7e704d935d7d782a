/** Pictures of the dealers at their tables, by dealer and felt: `mei-emerald.webp`. Rendered from the scene, see tools. */

const FILES: Readonly<Record<string, string>> = import.meta.glob('./pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The address of a picture; the dealer before another felt rather than none. */
export function pictureOf(dealer: string, felt: string): string | null {
  const exact = FILES[`./pictures/${dealer}-${felt}.webp`];
  const near = Object.keys(FILES).find((name) => name.startsWith(`./pictures/${dealer}-`));
  return exact ?? (near === undefined ? null : (FILES[near] ?? null));
}
