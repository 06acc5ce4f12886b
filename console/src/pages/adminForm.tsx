/** A command of the operator as a form: its fields as the command line declares them, and what it answered. */
import { useState } from 'preact/hooks';
import type { ConsoleCommandAnswerBody, ConsoleCommandBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { give, giveFile } from '../api/client.js';
import { Refused } from '../ui/actions.js';
import { words } from '../ui/format.js';
import { Own } from '../ui/parts.js';
import { Result, Secrets } from '../ui/result.js';
import { useSending } from '../ui/sending.js';
import { Field, fieldWords } from './adminField.js';

export type Values = Readonly<Record<string, string>>;

/** `suuq admin stores test-keys` → `Test keys`, `suuq admin forget` → `Forget`. */
export function restWords(typed: string): string {
  const [, , area = '', ...rest] = typed.split(' ');
  return words((rest.length === 0 ? area : rest.join(' ')).replaceAll('-', ' '));
}

/** As the command takes them: what is left empty is left out, and a line each where there may be several. */
function typedOf({ fields }: ConsoleCommandBody, values: Values): Record<string, string | readonly string[]> {
  const typed: Record<string, string | readonly string[]> = {};
  for (const { name, many } of fields) {
    const value = values[name]?.trim() ?? '';
    if (value === '') continue;
    typed[name] = many
      ? value
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
      : value;
  }
  return typed;
}

interface FormProps {
  readonly command: ConsoleCommandBody;
  readonly initial: Values;
  readonly stores: readonly ConsoleStoreBody[];
  /** Name of the subject of a command that cannot be undone. */
  readonly called: string | undefined;
  /** Fields that identify the row of the form. */
  readonly fixed?: readonly string[];
  /** After it was done. */
  done(): void;
}

export function CommandForm({ command, initial, stores, called, fixed = [], done }: FormProps) {
  const { name, about, typed, fields, final, secrets = [], machine, either, upload } = command;
  const [file, setFile] = useState<File>();
  const [values, setValues] = useState<Values>(initial);
  const sending = useSending();
  const { busy, error, renew } = sending;
  const [answer, setAnswer] = useState<ConsoleCommandAnswerBody>();
  const [sure, setSure] = useState('');
  if (machine)
    return (
      <p>
        {about} Run this on the service’s machine: <code>{typed}</code>.
      </p>
    );
  const reported = secrets.flatMap((secret) => {
    const value = answer?.result[secret];
    return typeof value === 'string' ? [[fieldWords(secret), value] as const] : [];
  });
  const others = Object.entries(answer?.result ?? {}).flatMap(([field, value]) =>
    secrets.includes(field) || typeof value === 'object' ? [] : [[fieldWords(field), String(value)] as const],
  );
  const requested = final === undefined ? undefined : (called ?? values[final] ?? '');
  const send = (event: SubmitEvent): void => {
    const request = typedOf(command, values);
    const load = (once: string) =>
      upload === undefined
        ? give('/commands/{name}', { name }, request, once)
        : giveFile(name, request, file ?? new Blob(), once);
    if (!busy) setAnswer(undefined);
    sending.send(event, load, (answered) => {
      setAnswer(answered);
      setSure('');
      done();
    });
  };
  const faultOf = (field: string) => error?.faults.find(({ location }) => location === field)?.message;
  const elsewhere = error?.faults.filter(({ location }) => !fields.some((field) => field.name === location)) ?? [];
  return (
    <form class="command" onSubmit={send} aria-label={typed}>
      <p>{about}</p>
      {either !== undefined && (
        <p class="fine">
          Fill in {either.of.map(fieldWords).join(' or ')}
          {either.required ? '' : ', or neither'}.
        </p>
      )}
      <div class="command-fields">
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            fault={faultOf(field.name)}
            stores={stores}
            fixed={fixed.includes(field.name)}
            change={(value) => {
              setValues((before) => ({ ...before, [field.name]: value }));
              renew();
            }}
            file={
              field.name === upload?.field
                ? (chosen) => {
                    setFile(chosen);
                    renew();
                  }
                : undefined
            }
          />
        ))}
      </div>
      {requested !== undefined && (
        <div class="field">
          <label for="field-sure">
            This cannot be undone. Type <Own text={requested} /> to continue
          </label>
          <input
            id="field-sure"
            value={sure}
            autocomplete="off"
            dir="auto"
            onInput={({ currentTarget }) => setSure(currentTarget.value)}
          />
        </div>
      )}
      <p class="actions">
        <button
          type="submit"
          class={final === undefined ? 'button primary' : 'button danger'}
          disabled={busy || (requested !== undefined && (requested === '' || sure.trim() !== requested.trim()))}
        >
          {restWords(typed)}
        </button>
        <code class="fine">{typed}</code>
      </p>
      <div class="outcome" role="status">
        <Refused error={error} />
        {elsewhere.map(({ location, message }) => (
          <p class="bad" key={`${location} ${message}`}>
            <code>{location}</code> {message}
          </p>
        ))}
        {reported.length === 0 && answer !== undefined && <Result shown={answer.shown} />}
      </div>
      {reported.length > 0 && <Secrets secrets={reported} others={others} away={() => setAnswer(undefined)} />}
    </form>
  );
}
