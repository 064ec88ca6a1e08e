-- expand
-- Names the sealing key of the house without telling it, so that a machine with another house's keys is noticed.
alter table storage.installation add column if not exists sealed_by text;
