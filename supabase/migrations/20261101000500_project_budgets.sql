-- Some budgets are nobody's business. A row of projects is readable as a whole, so an amount that is not shown
-- does not stay in it: it moves here, where only admins look, and moves back when it may be shown again.

create table public.project_budgets (
  -- Deferred: the amount is put away while its new project is still on the way in.
  project_id uuid primary key references public.projects on delete cascade deferrable initially deferred,
  amount     numeric(12, 2) not null
);
comment on table public.project_budgets is 'Amounts of projects whose show_budget is off; projects.budget is null there.';

alter table public.project_budgets enable row level security;
alter table public.project_budgets force row level security;

create policy "admins see hidden budgets" on public.project_budgets for select to authenticated
  using ((select public.is_admin()));
create policy "admins forget hidden budgets" on public.project_budgets for delete to authenticated
  using ((select public.is_admin()));

revoke all on public.project_budgets from public, anon, authenticated, service_role;
grant select, delete on public.project_budgets to authenticated, service_role;

create function private.put_budget_in_its_place() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not new.show_budget and new.budget is not null then
    insert into public.project_budgets (project_id, amount) values (new.id, new.budget)
      on conflict (project_id) do update set amount = excluded.amount;
    new.budget := null;
  elsif new.show_budget and tg_op = 'UPDATE' and not old.show_budget then
    new.budget := coalesce(new.budget, (select amount from public.project_budgets where project_id = new.id));
    delete from public.project_budgets where project_id = new.id;
  end if;
  return new;
end $$;
create trigger put_budget_in_its_place before insert or update of budget, show_budget on public.projects
  for each row execute function private.put_budget_in_its_place();
revoke all on function private.put_budget_in_its_place() from public;
select private.watch('public.project_budgets');
