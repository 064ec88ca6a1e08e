-- Not in Supabase: what the applicant entered, with the email that confirms it. Several people may sign up with the same address;
-- then the confirmed email decides, not the first sign-up.
alter table auth.one_time_tokens add column if not exists applicant jsonb;
comment on column auth.one_time_tokens.applicant is
  'Of a sign-up: password_hash, user_metadata and the network address it came from. Without a password_hash the account gets no password.';
