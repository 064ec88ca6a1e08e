import { TextField } from '#ui/form/field.tsx';

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

export const setupKeyIn = (fields: FormData): string | undefined => String(fields.get('key') ?? '').trim() || undefined;
