import { useState, type ReactElement, type ReactNode } from 'react';
import { reload } from '../../../lib/client.js';
import { Dialog } from '../../../ui/dialog.js';
import { openDialog } from '../../../ui/dialogs.js';

/** A field of a form. `options` make it a choice, from value to name. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password' | 'number' | 'email' | 'url' | 'datetime-local' | 'checkbox';
  readonly options?: Readonly<Record<string, string>>;
  readonly value?: string;
  readonly isRequired?: boolean;
  readonly hint?: string;
}

/** Values by the names of the fields; a ticked box is `on`, one that is not is empty. */
export type Entered = Readonly<Record<string, string>>;

/** A form as data. What `onSubmit` resolves with is shown next, such as a key that was issued. */
export interface Form {
  readonly title: string;
  readonly submitLabel: string;
  readonly isGrave?: boolean;
  readonly text?: string;
  readonly fields?: readonly Field[];
  readonly onSubmit: (entered: Entered) => Promise<ReactElement | void>;
}

const FieldInput = ({
  field,
  value,
  onChange,
}: {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode => {
  const { name, type = 'text', options, isRequired } = field;
  if (options)
    return (
      <select name={name} value={value} onChange={({ target }) => onChange(target.value)}>
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    );
  if (type === 'checkbox')
    return <input type="checkbox" name={name} checked={value === 'on'} onChange={({ target }) => onChange(target.checked ? 'on' : '')} />;
  return (
    <input
      type={type}
      name={name}
      value={value}
      required={isRequired}
      autoComplete={type === 'password' ? 'new-password' : 'off'}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};

const FormDialog = ({ title, submitLabel, isGrave = false, text, fields = [], onSubmit }: Form): ReactNode => {
  const [entered, setEntered] = useState<Entered>(() =>
    Object.fromEntries(fields.map(({ name, value, options }) => [name, value ?? Object.keys(options ?? {})[0] ?? ''])),
  );
  const submit = async (): Promise<ReactElement | void> => {
    const next = await onSubmit(entered);
    await reload(['manage']);
    return next;
  };
  return (
    <Dialog title={title} submitLabel={submitLabel} isGrave={isGrave} onSubmit={submit}>
      {text !== undefined && <p>{text}</p>}
      {fields.map((field) => (
        <label key={field.name}>
          {field.label}
          <FieldInput
            field={field}
            value={entered[field.name] ?? ''}
            onChange={(value) => setEntered((before) => ({ ...before, [field.name]: value }))}
          />
          {field.hint !== undefined && <small>{field.hint}</small>}
        </label>
      ))}
    </Dialog>
  );
};

/** Asks for what a form wants, in front of everything else. */
export const askFor = (form: Form): void => openDialog(<FormDialog {...form} />);

/** Asks before something that cannot be undone. */
export const confirm = (title: string, text: string, submitLabel: string, run: () => Promise<unknown>): void =>
  askFor({
    title,
    text,
    submitLabel,
    isGrave: true,
    onSubmit: async () => {
      await run();
    },
  });
