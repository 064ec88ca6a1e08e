-- expand
-- Columns alone: what fills them takes its time in a large house, and nobody is to wait for the list meanwhile.
alter table private.listings add column media integer not null default 0;
comment on column private.listings.media is 'How many media its project has.';
alter table private.listing_counts add column media bigint not null default 0;
