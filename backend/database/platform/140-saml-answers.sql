-- Ours: the identity provider's answer, while the browser is asked whether it is the one that went there.
alter table auth.saml_relay_states add column if not exists response text;
