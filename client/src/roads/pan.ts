/** Moving a board along: by dragging, and by the wheel. */

const SLOP_PX = 6;
const LINE_PX = 16;

/** How far a turn of the wheel moves a board, in pixels to the right. `across`: an upright wheel counts as well. */
export function wheelStep(event: Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode'>, across: boolean, pagePx: number): number {
  const unit = event.deltaMode === 1 ? LINE_PX : event.deltaMode === 2 ? pagePx : 1;
  const sideways = Math.abs(event.deltaX) >= Math.abs(event.deltaY);
  return (sideways ? event.deltaX : across ? event.deltaY : 0) * unit;
}

/** Can it go that way at all? */
export function hasRoom(scroller: Pick<HTMLElement, 'scrollLeft' | 'scrollWidth' | 'clientWidth'>, step: number): boolean {
  if (step < 0) return scroller.scrollLeft > 0.5;
  return step > 0 && scroller.scrollLeft + scroller.clientWidth < scroller.scrollWidth - 0.5;
}

export interface PanOptions {
  readonly scroller: () => HTMLElement | null;
  /** Fingers too: where the browser does not pan by itself. */
  readonly touch?: boolean;
}

/** Svelte action: dragging on `node` and the wheel over it move the scroller; the click that ends a drag is none. */
export function pan(node: HTMLElement, options: PanOptions): { destroy: () => void } {
  let from: { x: number; left: number; pointer: number } | null = null;
  let dragged = false;

  function down(event: PointerEvent): void {
    dragged = false;
    if (event.button !== 0 || (event.pointerType !== 'mouse' && options.touch !== true)) return;
    from = { x: event.clientX, left: options.scroller()?.scrollLeft ?? 0, pointer: event.pointerId };
  }
  function move(event: PointerEvent): void {
    const scroller = options.scroller();
    if (from === null || scroller === null || event.pointerId !== from.pointer) return;
    const dx = event.clientX - from.x;
    if (!dragged && (Math.abs(dx) < SLOP_PX || scroller.scrollWidth <= scroller.clientWidth)) return;
    if (!dragged) node.setPointerCapture(event.pointerId);
    dragged = true;
    scroller.scrollLeft = from.left - dx;
  }
  function up(): void {
    from = null;
    if (dragged) setTimeout(() => (dragged = false));
  }
  function click(event: MouseEvent): void {
    if (!dragged) return;
    dragged = false;
    event.stopPropagation();
    event.preventDefault();
  }
  function wheel(event: WheelEvent): void {
    const scroller = options.scroller();
    if (scroller === null || event.ctrlKey) return;
    const step = wheelStep(event, !scrollsUpright(node), scroller.clientWidth);
    if (!hasRoom(scroller, step)) return;
    event.preventDefault();
    scroller.scrollLeft += step;
  }
  const gone = new AbortController();
  const { signal } = gone;
  node.addEventListener('pointerdown', down, { signal });
  node.addEventListener('pointermove', move, { signal });
  node.addEventListener('pointerup', up, { signal });
  node.addEventListener('pointercancel', up, { signal });
  node.addEventListener('click', click, { signal, capture: true });
  node.addEventListener('wheel', wheel, { signal, passive: false });
  return { destroy: () => gone.abort() };
}

/** Is something around it to be scrolled up and down? Then an upright wheel is left to that. */
function scrollsUpright(node: HTMLElement): boolean {
  for (let one = node.parentElement; one !== null; one = one.parentElement) {
    if (one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY)) return true;
  }
  return false;
}
