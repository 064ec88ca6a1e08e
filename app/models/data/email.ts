// One file for the forms and for the server functions that take what they send; those import nothing of ours.
export { isAccountEmail, isEmail, LONGEST_EMAIL } from '../../../supabase/functions/_shared/email.ts';
