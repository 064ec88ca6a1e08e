-- Not in Supabase: the identity provider's response, until the browser proves that it started the sign-in.
alter table auth.saml_relay_states add column if not exists response text;
