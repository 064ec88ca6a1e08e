-- Tags past their number or length are told like every other limit, 422 and what to do, before anything is written.
create or replace function private.receive_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.project_id <> old.project_id then
    raise exception using errcode = 'PT400', message = 'Texts stay with their project.';
  end if;
  new.category := nullif(btrim(new.category), '');
  new.tags := coalesce(new.tags, '{}');
  if not private.are_tags(new.tags) then
    raise exception using errcode = 'PT422',
      message = 'tags are at most 500, of 1 to 60 characters. Nothing was saved: remove or shorten some, then save again.';
  end if;
  return new;
end $$;
