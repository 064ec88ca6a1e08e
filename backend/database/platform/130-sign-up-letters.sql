-- Ours: what whoever signed up wrote, beside the letter that confirms it. Somebody else may have signed up for the same
-- address before or after; then the letter that is pressed decides, not who came first.
alter table auth.one_time_tokens add column if not exists applicant jsonb;
comment on column auth.one_time_tokens.applicant is
  'Of a sign-up: password_hash, user_metadata and the network address it came from. Without a password_hash nobody''s is kept.';
