-- expand
-- Columns only: filling them takes time in a large installation, and the list must not wait for it.
alter table private.listings add column media integer not null default 0;
comment on column private.listings.media is 'Number of media of its project.';
alter table private.listing_counts add column media bigint not null default 0;
