/** Fields of forms other than texts, each with what is wrong with it. */
import type { ComponentChildren } from 'preact';

interface FieldProps {
  /** Unique in the page. */
  readonly id: string;
  readonly label: string;
  readonly about?: string;
  readonly fault?: string | undefined;
}

const About = ({ id, about, fault }: Omit<FieldProps, 'label'>) =>
  about === undefined && fault === undefined ? null : (
    <p class="fine" id={`${id}-about`}>
      {fault !== undefined && <span class="bad">{fault} </span>}
      {about}
    </p>
  );

interface SelectFieldProps extends FieldProps {
  readonly value: string;
  /** Values with their labels. */
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly disabled?: boolean;
  change(value: string): void;
}

export const SelectField = ({
  id,
  label,
  about,
  fault,
  value,
  options,
  disabled = false,
  change,
}: SelectFieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select
      {...{ id, value, disabled }}
      aria-invalid={fault !== undefined}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    >
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
    <About {...{ id, fault, ...(about !== undefined && { about }) }} />
  </div>
);

interface CheckFieldProps extends FieldProps {
  readonly checked: boolean;
  change(checked: boolean): void;
}

export const CheckField = ({ id, label, about, fault, checked, change }: CheckFieldProps) => (
  <div class="field">
    <label for={id}>
      <input {...{ id, checked }} type="checkbox" onChange={({ currentTarget }) => change(currentTarget.checked)} />{' '}
      {label}
    </label>
    <About {...{ id, fault, ...(about !== undefined && { about }) }} />
  </div>
);

interface TimeFieldProps extends FieldProps {
  readonly value: string;
  readonly zone: string;
  change(value: string): void;
}

export const TimeField = ({ id, label, fault, value, zone, change }: TimeFieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input
      {...{ id, value }}
      type="datetime-local"
      aria-invalid={fault !== undefined}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
    <About {...{ id, fault }} about={`Time of ${zone}.`} />
  </div>
);

/** A form's fields, in as many columns as fit. */
export const Fields = ({ one = false, children }: { one?: boolean; children: ComponentChildren }) => (
  <div class={one ? 'command-fields one' : 'command-fields'}>{children}</div>
);
