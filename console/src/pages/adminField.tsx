/** One field of a command's form: typed, chosen among values, or a file. */
import type { ConsoleCommandFieldBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { words } from '../ui/format.js';

/** `ownerEmail` → `Owner email`. */
export const fieldWords = (name: string): string =>
  words(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

interface FieldProps {
  readonly field: ConsoleCommandFieldBody;
  readonly value: string;
  readonly fault: string | undefined;
  readonly stores: readonly ConsoleStoreBody[];
  /** True for the subject of the form, which it does not change. */
  readonly fixed: boolean;
  change(value: string): void;
  /** Receives the chosen file, for a field that sends one. */
  readonly file?: ((chosen: File | undefined) => void) | undefined;
}

/** Values to choose among, each with what it is called; undefined: it is typed. */
export function optionsOf(
  { name, choices }: Pick<ConsoleCommandFieldBody, 'name' | 'choices'>,
  stores: readonly ConsoleStoreBody[],
): readonly (readonly [value: string, called: string])[] | undefined {
  if (choices !== undefined) return choices.map((one) => [one, one]);
  if (name !== 'workspace' || stores.length === 0) return undefined;
  return stores.map((store) => [store.workspaceId, store.name]);
}

function Control({ field, value, fault, stores, fixed, change, file }: FieldProps) {
  const { name, required, json = false, many } = field;
  const id = `field-${name}`;
  const shared = {
    ...{ id, name, value, required: required && !many },
    'aria-describedby': `${id}-about`,
    'aria-invalid': fault !== undefined,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => change(currentTarget.value),
  };
  if (file !== undefined)
    return (
      <input
        {...{ id, name, required }}
        aria-describedby={`${id}-about`}
        aria-invalid={fault !== undefined}
        type="file"
        onChange={({ currentTarget }) => file(currentTarget.files?.[0])}
      />
    );
  if (fixed) return <input {...shared} readOnly />;
  const options = optionsOf(field, stores);
  if (options !== undefined)
    return (
      <select {...shared}>
        <option value="">{required ? 'choose…' : '—'}</option>
        {options.map(([one, called]) => (
          <option key={one} value={one}>
            {called}
          </option>
        ))}
      </select>
    );
  if (json || many)
    return <textarea {...shared} rows={json ? 10 : 3} class={json ? 'mono' : ''} spellcheck={false} dir="auto" />;
  return <input {...shared} autocomplete="off" spellcheck={false} dir="auto" />;
}

export function Field(props: FieldProps) {
  const { name, about, required, many, typedAs } = props.field;
  const { fault } = props;
  return (
    <div class="field">
      <label for={`field-${name}`}>
        {fieldWords(name)} {required && <span class="fine">required</span>}
      </label>
      <Control {...props} />
      <p class="fine" id={`field-${name}-about`}>
        {fault !== undefined && (
          <span class="bad">
            {fieldWords(name)} {fault}.{' '}
          </span>
        )}
        <code>{typedAs}</code> {about}
        {many && ' One per line.'}
      </p>
    </div>
  );
}
