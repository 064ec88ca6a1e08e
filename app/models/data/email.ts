// Shared by forms and server functions; the latter import no application code.
export { isAccountEmail, isEmail, LONGEST_EMAIL } from '../../../supabase/functions/_shared/email.ts';
