/** Buttons that change something: confirmation where it cannot be undone, and the outcome. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Failed } from '../api/client.js';
import { asFailed } from './load.js';

export interface Acting {
  readonly busy: boolean;
  readonly error?: Failed | undefined;
  /** Text of the last success. */
  readonly done?: string | undefined;
  /** Runs one at a time. `text`: shown on success. */
  run(act: () => Promise<unknown>, text: string): void;
}

/** `after` reloads the shown data. */
export function useActing(after: () => void): Acting {
  const [state, setState] = useState<Omit<Acting, 'run'>>({ busy: false });
  return {
    ...state,
    run(act, text) {
      if (state.busy) return;
      setState({ busy: true });
      act().then(
        () => {
          setState({ busy: false, done: text });
          after();
        },
        (error: unknown) => setState({ busy: false, error: asFailed(error) }),
      );
    },
  };
}

/** The outcome, announced to screen readers. */
export const Outcome = ({ acting: { error, done } }: { acting: Acting }) => (
  <p class="fine outcome" role="status">
    {error === undefined ? done : <span class="bad">{error.message}</span>}
  </p>
);

/** Why something was not done, and the code of it; nothing when it was. */
export const Refused = ({ error }: { error: Failed | undefined }) =>
  error === undefined ? null : (
    <p class="bad">
      {error.message} <span class="fine">{error.code}</span>
    </p>
  );

interface FormEndProps {
  /** Label of the button that submits, such as `Save`. */
  readonly submit: string;
  readonly busy: boolean;
  readonly error: Failed | undefined;
  away(): void;
}

/** The end of a form that one goes away from: its two buttons, and why it was not taken. */
export const FormEnd = ({ submit, busy, error, away }: FormEndProps) => (
  <>
    <p class="actions">
      <button type="submit" class="button primary" disabled={busy}>
        {submit}
      </button>
      <button type="button" class="button small" onClick={away}>
        Cancel
      </button>
    </p>
    <div class="outcome" role="status">
      <Refused error={error} />
    </div>
  </>
);

interface SavedFormEndProps extends FormEndProps {
  /** Confirmation, such as `The settings are saved.`. Absent: nothing was saved since the last change. */
  readonly saved: string | undefined;
}

/** The end of a form that stays open after it was saved. */
export const SavedFormEnd = ({ saved, ...end }: SavedFormEndProps) => (
  <>
    <FormEnd {...end} />
    <p class="fine" role="status">
      {saved}
    </p>
  </>
);

interface SureProps {
  /** Label for screen readers, which lack the context. */
  readonly label?: string;
  /** Label of the confirmation, such as `Yes, rebuild`. */
  readonly yes: string;
  readonly disabled?: boolean;
  onYes(): void;
  readonly children: ComponentChildren;
}

/** A button with a confirmation. */
export function Sure({ label, yes, disabled = false, onYes, children }: SureProps) {
  const [request, setRequesting] = useState(false);
  if (!request)
    return (
      <button
        type="button"
        class="button small"
        disabled={disabled}
        aria-label={label}
        onClick={() => setRequesting(true)}
      >
        {children}
      </button>
    );
  const take = (): void => {
    setRequesting(false);
    onYes();
  };
  return (
    <span class="sure">
      <button type="button" class="button small danger" onClick={take}>
        {yes}
      </button>
      <button type="button" class="button small" onClick={() => setRequesting(false)}>
        No
      </button>
    </span>
  );
}
