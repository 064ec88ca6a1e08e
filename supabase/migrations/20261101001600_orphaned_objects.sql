-- A picture may be uploaded and then never used, or its experiment may be gone. The storage service asks this which
-- files no record speaks of any more; what lies in the trash is still spoken of.

create function private.orphaned_objects(older_than interval) returns table (bucket_id text, name text)
language sql stable set search_path = '' as $$
  with unattached as (
    select stored.name from storage.objects stored
    where stored.bucket_id = 'case-studies' and stored.created_at <= now() - older_than
      and not exists (select from public.project_media where private.file_of(url) = stored.name)
  ),
  texts (body) as (
    select concat(description, understanding, actions, impact) from public.projects
    union all select concat(brief, understanding, actions, impact) from public.case_study_metadata
    union all select body from public.site_pages
    union all select value::text from public.site_settings
    union all select entry::text from private.trash
  ),
  mentioned as (
    select found[1] as name
    from texts, regexp_matches(body, '/case-studies/(images/[0-9a-f-]{36}\.[a-z]{3,4})', 'g') as found
    where body like '%/case-studies/images/%' and exists (select from unattached)
  )
  select 'case-studies', unattached.name from unattached
  where not exists (select from mentioned where mentioned.name = unattached.name)
$$;
comment on function private.orphaned_objects(interval) is 'Files of the product''s bucket that nothing has used for that long.';
revoke all on function private.orphaned_objects(interval) from public;
