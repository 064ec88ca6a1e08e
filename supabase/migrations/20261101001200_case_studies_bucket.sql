-- Pictures of experiments. Anyone may add one under a name nobody can guess; nobody replaces one; who knows a name may
-- look. Everything else about files is for admins.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('case-studies', 'case-studies', true, 10485760, array['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

create policy "admins see buckets" on storage.buckets for select to authenticated
  using ((select public.is_admin()));

create policy "anyone adds pictures of experiments" on storage.objects for insert to anon, authenticated
  with check (
    bucket_id = 'case-studies'
    and name ~ '^images/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.(png|jpg|jpeg|gif|webp|avif)$'
  );
create policy "admins list pictures of experiments" on storage.objects for select to authenticated
  using (bucket_id = 'case-studies' and (select public.is_admin()));
create policy "admins remove pictures of experiments" on storage.objects for delete to authenticated
  using (bucket_id = 'case-studies' and (select public.is_admin()));
