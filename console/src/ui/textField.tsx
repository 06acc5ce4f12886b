/** A text field with its description and its problem. */

interface TextFieldProps {
  /** Unique in the page. */
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly value: string;
  /** In characters. */
  readonly most: number;
  /** Absent: one line. */
  readonly rows?: number;
  readonly required?: boolean;
  readonly pattern?: string;
  readonly fault?: string | undefined;
  change(value: string): void;
}

export function TextField(props: TextFieldProps) {
  const { id, name, label, about, value, most, rows, required = false, pattern, fault, change } = props;
  const shared = {
    ...{ id, name, value, required, maxLength: most, dir: 'auto' as const },
    'aria-describedby': `${id}-about`,
    'aria-invalid': fault !== undefined,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => change(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>
        {label} {required && <span class="fine">required</span>}
      </label>
      {rows === undefined ? (
        <input {...shared} {...(pattern !== undefined && { pattern })} autocomplete="off" />
      ) : (
        <textarea {...shared} rows={rows} />
      )}
      <p class="fine" id={`${id}-about`}>
        {fault !== undefined && <span class="bad">{fault} </span>}
        {about}
      </p>
    </div>
  );
}

/** Returns the API's problems of a place as a sentence; undefined if there are none. */
export function faultAt(
  faults: readonly { readonly location?: string; readonly message: string }[] | undefined,
  place: RegExp,
): string | undefined {
  const found = faults?.find(({ location = '' }) => place.test(location));
  return found && `${found.message.replace(/\.$/, '')}.`;
}
