-- Who shares in a fee may ask who made what. A sheet says so as it was on the day it was issued, and keeps it.

alter table public.split_sheets add column credits jsonb;
comment on column public.split_sheets.credits is 'Who made which part of the work when the sheet was issued; null before, and on sheets issued before this was kept.';

create function private.credit_split_sheet() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.credits := (select nullif(credits, '[]') from public.case_study_metadata where project_id = new.project_id);
  return new;
end $$;
revoke all on function private.credit_split_sheet() from public;
create trigger credit_at_issue before update on public.split_sheets
  for each row when (old.issued_at is null and new.issued_at is not null) execute function private.credit_split_sheet();
