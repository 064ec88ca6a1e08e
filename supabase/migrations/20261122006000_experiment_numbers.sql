-- An experiment gets its number when it is published, the next one in order, and keeps it whatever becomes of it.

alter table public.projects add column number integer constraint "a number is given once" unique;
comment on column public.projects.number is 'Which published experiment of the house it is, from 1; null while it was never published.';

-- Not a sequence: a publication that fails would leave a gap, and a copy of the rows must be a copy of the count.
create table private.experiment_numbers (
  only_row boolean primary key default true check (only_row),
  last     integer not null
);

with numbered as (
  select id, row_number() over (order by created_at, id) as place from public.projects where status <> 'draft'
)
update public.projects set number = place from numbered where projects.id = numbered.id;
insert into private.experiment_numbers (last) select coalesce(max(number), 0) from public.projects;

create function private.number_experiment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.experiment_numbers set last = last + 1 returning last into new.number;
  return new;
end $$;
revoke all on function private.number_experiment() from public;
create trigger number_inserted before insert on public.projects
  for each row when (new.status <> 'draft' and new.number is null) execute function private.number_experiment();
create trigger number_published before update of status on public.projects
  for each row when (new.status <> 'draft' and old.number is null) execute function private.number_experiment();
