/** A long list of rows of one height: only those in view are there. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const BEYOND = 8;
/** Browsers lay out no taller elements; what is beyond is reached by narrowing the list. */
const TALLEST_PX = 16_000_000;

export interface VirtualProps {
  readonly count: number;
  readonly height: number;
  readonly label: string;
  /** Of the last row in view: what is beyond it may be asked for. */
  onReach?(last: number): void;
  row(index: number): ComponentChildren;
  readonly head?: ComponentChildren;
  /** After the last row. */
  readonly foot?: ComponentChildren;
}

export function Virtual({ count, height, label, onReach, row, head, foot }: VirtualProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, rows: 20 });
  const measure = (): void => {
    const { scrollTop, clientHeight } = box.current!;
    const top = Math.floor(scrollTop / height);
    const rows = Math.ceil(clientHeight / height);
    setView((before) => (before.top === top && before.rows === rows ? before : { top, rows }));
  };
  useLayoutEffect(() => {
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  const from = Math.max(0, Math.min(view.top, count) - BEYOND);
  const to = Math.min(count, view.top + view.rows + BEYOND);
  useEffect(() => onReach?.(to), [to, count, onReach]);
  return (
    <div
      class="virtual"
      ref={box}
      onScroll={measure}
      role="table"
      aria-label={label}
      aria-rowcount={count}
      tabIndex={0}
    >
      {head}
      <div class="rows" role="rowgroup" style={{ height: `${Math.min(TALLEST_PX, count * height)}px` }}>
        <div style={{ transform: `translateY(${from * height}px)` }} role="presentation">
          {Array.from({ length: Math.max(0, to - from) }, (_, i) => row(from + i))}
        </div>
      </div>
      {foot}
    </div>
  );
}
