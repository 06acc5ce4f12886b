/** A sheet that slides over the chat. It has the keyboard focus until it is closed, by its button or Escape. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../ui/icons.js';
import { useTongue } from './words/words.js';

interface SheetProps {
  readonly title: string;
  close(): void;
  readonly children: ComponentChildren;
  /** Below what scrolls. */
  readonly foot?: ComponentChildren;
}

export function Sheet({ title, close, children, foot }: SheetProps) {
  const { translate } = useTongue();
  const box = useRef<HTMLElement>(null);
  // With what is drawn, not after it: a key pressed at once, Escape above all, must find the sheet.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.focus();
    return () => before?.focus();
  }, []);
  return (
    <section
      class="sheet"
      role="dialog"
      aria-modal="true"
      aria-label={title}
      ref={box}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="tap" onClick={close} aria-label={translate('close')} title={translate('close')}>
          <Icon name="close" />
        </button>
      </header>
      <div class="inside">{children}</div>
      {foot !== undefined && foot !== false && <footer>{foot}</footer>}
    </section>
  );
}
