-- expand
-- A fingerprint of the installation's sealing key, to detect a machine with other keys.
alter table storage.installation add column if not exists sealed_by text;
