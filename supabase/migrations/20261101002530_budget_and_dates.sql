-- A budget that was emptied is gone, also when it was hidden; and an end before the start is refused with words.

-- The hidden amount lies beside the row, whose own is null. Whoever writes null means none at all.
create function private.forget_hidden_budget() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.project_budgets where project_id = new.id;
  return new;
end $$;
-- Its name comes before put_budget_in_its_place, which would bring the old amount back.
create trigger forget_hidden_budget before update of budget on public.projects
  for each row when (new.budget is null) execute function private.forget_hidden_budget();

-- Not a constraint: what was stored before stays changeable, and the trash gives back what it took.
create function private.refuse_end_before_start() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception using errcode = 'PT422', message = 'The end date lies before the start date. Nothing was saved.';
end $$;
create trigger refuse_end_before_start before insert or update of start_date, end_date on public.projects
  for each row when (new.end_date < new.start_date and current_setting('private.restoring', true) is distinct from 'yes')
  execute function private.refuse_end_before_start();

revoke all on function private.forget_hidden_budget(), private.refuse_end_before_start() from public;
