// Shared by forms and server functions; the latter import no application code.
export { isAccountEmail, isEmail, MAX_EMAIL_LENGTH } from '../../../supabase/functions/_shared/email.ts';
