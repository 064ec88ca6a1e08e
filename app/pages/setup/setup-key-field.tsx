import { TextField } from '../../ui/form/field.tsx';

/** The optional one-time key on helper pages. */
export const SetupKeyField = () => (
  <TextField
    label="Setup key"
    name="key"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    hint="Only needed when you are not signed in as an admin. It works once, while there is no admin."
  />
);

/** The key a form holds; undefined when the field is empty. */
export const setupKeyIn = (fields: FormData): string | undefined => String(fields.get('key') ?? '').trim() || undefined;
