import { TextField } from '#ui/form/field.tsx';

export const setupKey = {
  label: 'Setup key',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  hint: 'Only needed when you are not signed in as an admin. It works once, while there is no admin.',
} as const;

export const SetupKeyField = () => <TextField {...setupKey} name="key" />;

export const setupKeyIn = (fields: FormData): string | undefined => String(fields.get('key') ?? '').trim() || undefined;
