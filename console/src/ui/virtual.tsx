/** A long list of rows of one height: only those in view are there. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Scrolled, scrolled, TALLEST } from './longScroll.js';

const BEYOND = 8;
/** Heights of the heading, of the foot and of the frame, in px. */
const HEAD_PX = 39;
const FOOT_PX = 56;
const FRAME_PX = 2;

export interface VirtualProps {
  readonly count: number;
  readonly height: number;
  readonly label: string;
  /** Called with the last row in view, to load more. */
  onReach?(last: number): void;
  row(index: number): ComponentChildren;
  readonly head?: ComponentChildren;
  /** After the last row. */
  readonly foot?: ComponentChildren;
}

export function Virtual({ count, height, label, onReach, row, head, foot }: VirtualProps) {
  const box = useRef<HTMLDivElement>(null);
  const place = useRef<Scrolled>({ top: 0, offset: 0 });
  const [view, setView] = useState({ top: 0, rows: 20, offset: 0 });
  const measure = (): void => {
    const { scrollTop, clientHeight } = box.current!;
    const now = scrolled(place.current, scrollTop, clientHeight, count * height);
    if (now.top !== scrollTop) box.current!.scrollTop = now.top;
    // As the browser rounds it.
    place.current = { top: box.current!.scrollTop, offset: now.offset };
    const { offset } = now;
    const top = Math.floor((now.top + offset) / height);
    const rows = Math.ceil(clientHeight / height);
    setView((before) =>
      before.top === top && before.rows === rows && before.offset === offset ? before : { top, rows, offset },
    );
  };
  const measuring = useRef(measure);
  measuring.current = measure;
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(() => measuring.current());
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  useLayoutEffect(measure, [count]);
  const from = Math.max(0, Math.min(view.top, count) - BEYOND);
  const to = Math.min(count, view.top + view.rows + BEYOND);
  useEffect(() => onReach?.(to), [to, count, onReach]);
  return (
    <div
      class="virtual"
      style={{
        '--tall': `${Math.min(TALLEST, count * height + (head ? HEAD_PX : 0) + (foot ? FOOT_PX : 0) + FRAME_PX)}px`,
      }}
      ref={box}
      onScroll={measure}
      role="table"
      aria-label={label}
      aria-rowcount={count}
      tabIndex={0}
    >
      {head}
      <div class="rows" role="rowgroup" style={{ height: `${Math.min(TALLEST, count * height)}px` }}>
        <div style={{ transform: `translateY(${from * height - view.offset}px)` }} role="presentation">
          {Array.from({ length: Math.max(0, to - from) }, (_, i) => row(from + i))}
        </div>
      </div>
      {foot}
    </div>
  );
}
