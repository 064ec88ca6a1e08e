-- How a project's fee is shared. A sheet is prepared as a draft, then issued: from then on it and its statements are
-- immutable. Errors are corrected by a new sheet that replaces the old one.

-- The collective's terms (CONST-30 to CONST-36), in percent. The share that investors do not use goes to the work team; the part that
-- the terms leave unassigned has a line of its own.
create function private.split_terms(investors integer) returns table (cut text, percent integer, place integer)
language sql immutable set search_path = '' as $$
  select * from (values
    ('referrer', 5, 1), ('closer', 10, 2), ('manager', 15, 3), ('idea', 5, 4), ('team', 50 - investors, 5),
    ('investors', investors, 6), ('companyPool', 2, 7), ('goalsPool', 2, 8), ('crisisFund', 1, 9), ('unallocated', 10, 10)
  ) as terms (cut, percent, place)
  where percent > 0
$$;

create table public.split_sheets (
  id             uuid primary key default gen_random_uuid(),
  project_id     uuid not null, -- no foreign key: payments outlive the project
  plan           jsonb constraint "a plan is an object of at most 32 KB" check (jsonb_typeof(plan) = 'object' and octet_length(plan::text) <= 32768),
  replaces       uuid references public.split_sheets,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  number         integer unique,
  issued_at      timestamptz,
  issued_by      uuid,
  project_title  text,
  client         text,
  currency       text check (currency ~ '^[A-Z]{3}$'),
  amount         bigint check (amount between 1 and 100000000000000),
  investors      integer check (investors between 0 and 25),
  payment        text check (payment in ('short', 'monthly', 'long')),
  instalments    jsonb,
  unallocated_to text,
  terms          text,
  credits        jsonb,
  constraint "a sheet is a draft with a plan, or issued with everything" check (
    case when issued_at is null
      then plan is not null and num_nonnulls(number, issued_by, project_title, currency, amount, investors, payment, instalments, unallocated_to, terms) = 0
      else plan is null and num_nulls(number, project_title, currency, amount, investors, payment, instalments, unallocated_to, terms) = 0
    end
  )
);
comment on table public.split_sheets is 'How a project''s fee is shared. Amounts are in the smallest unit of the currency.';
comment on column public.split_sheets.plan is 'Input of a draft, not computed here; cleared at issue.';
comment on column public.split_sheets.credits is 'Credits of the project when the sheet was issued; null before, and on older sheets.';
create unique index split_sheets_one_draft on public.split_sheets (project_id) where issued_at is null;
create index split_sheets_by_project on public.split_sheets (project_id, number desc);
create unique index split_sheets_replaced_once on public.split_sheets (replaces) where issued_at is not null;

create table public.split_statements (
  id            uuid primary key default gen_random_uuid(),
  sheet_id      uuid not null references public.split_sheets,
  number        text not null unique, -- number of the sheet and position on it: 12-3
  name          text not null check (char_length(name) between 1 and 200),
  member        uuid, -- a profile, and
  user_id       uuid, -- its account, if any; no foreign keys, so the statement is kept
  project_title text not null,
  currency      text not null,
  amount        bigint not null check (amount >= 0),
  payments      jsonb not null, -- [{"due", "words", "amount"}]
  terms         text not null,
  replaces      integer, -- number of the sheet that replaces it
  issued_at     timestamptz not null,
  paid_before   bigint not null default 0 check (paid_before >= 0)
);
comment on table public.split_statements is 'One person''s share of one fee at the time of issue.';
comment on column public.split_statements.paid_before is 'What this person was paid on the sheets that this one replaces; it counts towards the instalments from the first on.';
create index split_statements_by_sheet on public.split_statements (sheet_id);
create index split_statements_by_user on public.split_statements (user_id, issued_at desc) where user_id is not null;

create table public.split_shares (
  id           bigint generated always as identity primary key,
  sheet_id     uuid not null references public.split_sheets,
  statement_id uuid references public.split_statements, -- null for pools and unassigned lines
  cut          text not null,
  words        text not null check (char_length(words) between 1 and 200),
  percent      integer not null check (percent between 1 and 100), -- percent of the whole, for a cut
  weight       bigint not null check (weight between 1 and 1000000000), -- entered weight, relative to the others of the cut
  amount       bigint not null check (amount >= 0)
);
comment on table public.split_shares is 'Lines of an issued sheet; their sum is its amount.';
create index split_shares_by_sheet on public.split_shares (sheet_id);
create index split_shares_by_statement on public.split_shares (statement_id);

create table public.split_payments (
  statement_id uuid not null references public.split_statements,
  place        integer not null check (place between 1 and 36), -- of the instalment, from 1
  amount       bigint not null check (amount > 0),
  paid_on      date not null,
  primary key (statement_id, place)
);
comment on table public.split_payments is 'Instalments that an admin marked as paid. Written by mark_instalment().';

select private.enable_row_security('public.split_sheets', 'public.split_statements', 'public.split_shares', 'public.split_payments');

create policy "admins read split sheets" on public.split_sheets for select to authenticated using ((select public.is_admin()));
create policy "admins prepare split sheets" on public.split_sheets for insert to authenticated
  with check ((select public.is_admin()) and exists (select from public.projects where projects.id = project_id));
create policy "admins change drafts of split sheets" on public.split_sheets for update to authenticated
  using (issued_at is null and (select public.is_admin()));
create policy "admins throw drafts of split sheets away" on public.split_sheets for delete to authenticated
  using (issued_at is null and (select public.is_admin()));
create policy "a statement is for its person and admins" on public.split_statements for select to authenticated
  using (user_id = (select auth.uid()) or (select public.is_admin()));
create policy "shares are for admins" on public.split_shares for select to authenticated using ((select public.is_admin()));
create policy "the shares of a statement are for its person" on public.split_shares for select to authenticated
  using (exists (select from public.split_statements where split_statements.id = statement_id and user_id = (select auth.uid())));
create policy "payments are readable with their statement" on public.split_payments for select to authenticated
  using (exists (select from public.split_statements where split_statements.id = statement_id));

grant select, delete, insert (project_id, plan, replaces), update (plan) on public.split_sheets to authenticated;
grant select on public.split_statements, public.split_shares, public.split_payments to authenticated;

-- Issued rows cannot be changed or deleted, not even by an admin or the service role.
create function private.protect_split_sheet() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.raise_if(old.issued_at is not null, 'PT409', 'An issued split sheet stays as it is. Make a corrected one that replaces it.');
  perform private.raise_if(tg_op = 'UPDATE' and new.issued_at is not null
    and new.amount is distinct from (select sum(amount) from public.split_shares where sheet_id = new.id), 'PT400', 'The shares do not add up to the amount.');
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger protect_split_sheet before update or delete on public.split_sheets for each row execute function private.protect_split_sheet();
create trigger touch before update on public.split_sheets for each row execute function private.touch();
select private.record_writes_of('public.split_sheets');

-- Lines are inserted while their sheet is issued, and never change, except that a statement outlives its account.
create function private.protect_split_line() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) = to_jsonb(old) || '{"member": null, "user_id": null}' then
    return new;
  end if;
  perform private.raise_if(tg_op = 'UPDATE'
    or exists (select from public.split_sheets where id = case when tg_op = 'DELETE' then old.sheet_id else new.sheet_id end and issued_at is not null),
    'PT409', 'An issued split sheet stays as it is. Make a corrected one that replaces it.');
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger protect_split_line before insert or update or delete on public.split_statements for each row execute function private.protect_split_line();
create trigger protect_split_line before insert or update or delete on public.split_shares for each row execute function private.protect_split_line();

create function private.unlink_statements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.split_statements set member = null, user_id = null where user_id = old.user_id;
  return null;
end $$;
create trigger unlink_statements after delete on public.profiles for each row execute function private.unlink_statements();

create function private.require_split(holds boolean, reason text) returns void
language sql stable set search_path = '' as $$ select private.raise_if(holds is not true, 'PT400', reason) $$;

-- Instalments have a date and a name, and add up to the whole; short projects have two halves (CONST-37).
create function private.check_instalments(instalments jsonb, payment text) returns void
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_split((
    select count(*) between 1 and 36 and sum(percent) = 10000 and bool_and((
      percent between 1 and 10000 and char_length(btrim(words)) between 1 and 120
      and due ~ '^\d{4}-\d\d-\d\d$' and due >= earlier and due::date is not null
    ) is true)
    from (
      select due, words, percent, lag(due, 1, due) over (order by place) as earlier
      from rows from (jsonb_to_recordset(instalments) as (due text, words text, percent integer)) with ordinality as given (due, words, percent, place)
    ) as planned
  ), 'The instalments need a day, a name and a part each, in order of time, and together 100%.');
  perform private.require_split(payment <> 'short' or jsonb_path_query_array(instalments, '$[*].percent') = '[5000, 5000]',
    'Short projects are paid in two halves: after the client''s first payment and after the final one.');
end $$;

-- The client computes the amounts; the database verifies them: each cut has its percentage of the amount, each person
-- of a cut a share by weight and each instalment its part of the statement, with a tolerance of one unit, and the sums
-- are exact.
create function private.check_shares(amount numeric, investors integer, instalments jsonb, statements jsonb, pools jsonb) returns void
language sql stable set search_path = '' as $$
  select private.require_split((
    with shares as (
      select cut, weight, share, false as is_pool from jsonb_array_elements(statements) as one (statement),
        jsonb_to_recordset(statement -> 'shares') as given (cut text, weight numeric, share numeric)
      union all select cut, 1, share, true from jsonb_to_recordset(pools) as given (cut text, share numeric)
    ), cuts as (select cut, sum(share) as total, sum(weight) as weights from shares group by cut)
    select count(*) = count(terms.cut) and count(*) = count(cuts.cut) and sum(total) = amount
      and bool_and(abs(total * 100 - amount * percent) < 100)
      and not exists (
        select from shares join cuts using (cut)
        where (share >= 0 and weight >= 1 and share = trunc(share) and weight = trunc(weight)
          and abs(share * weights - total * weight) < weights
          and is_pool = (cut in ('companyPool', 'goalsPool', 'crisisFund', 'unallocated'))) is not true
      )
    from private.split_terms(investors) as terms full join cuts using (cut)
  ) and not exists (
    select from jsonb_array_elements(statements) as one (statement)
    cross join lateral (
      select coalesce(sum((share ->> 'share')::numeric), -1) as total from jsonb_array_elements(statement -> 'shares') as lines (share)
    ) as lines
    cross join lateral (
      select count(*) = jsonb_array_length(instalments) and sum(paid::numeric) = total
        and bool_and(paid::numeric >= 0 and paid::numeric = trunc(paid::numeric)
          and abs(paid::numeric * 10000 - total * (instalments -> (place::integer - 1) ->> 'percent')::numeric) < 10000) as fair
      from jsonb_array_elements_text(statement -> 'payments') with ordinality as paid (paid, place)
    ) as parts
    where fair is not true
  ), 'The amounts do not follow from the terms. Reload the page and try again.')
$$;

create function private.split_person(member uuid, name text) returns text
language sql immutable set search_path = '' as $$ select coalesce(member::text, lower(btrim(name))) $$;

create function public.issue_split_sheet(p_sheet uuid, p_seen timestamptz, p_issue jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  sheet public.split_sheets;
  project public.projects;
  replaced public.split_sheets;
  destination text;
  total numeric := (p_issue ->> 'amount')::numeric;
  investor_percent integer := (p_issue ->> 'investors')::integer;
  people jsonb := p_issue -> 'statements';
  pools jsonb := p_issue -> 'pools';
  planned jsonb := p_issue -> 'instalments';
  terms_text text := p_issue ->> 'terms';
  next_number integer;
  statement jsonb;
  turn bigint;
  person public.profiles;
  made uuid;
  matched uuid[] := '{}';
  named text[];
  found_before uuid[];
  paid_earlier bigint;
begin
  perform private.require_admin('Only an admin can issue a split sheet.');
  -- Of concurrent calls for one sheet, the first issues it; the others get an error.
  select * into sheet from public.split_sheets where id = p_sheet for update;
  perform private.raise_if(not found, 'PT404', 'This split sheet is not there any more.');
  perform private.raise_if(sheet.issued_at is not null, 'PT409', 'Another admin has just issued this split sheet.');
  perform private.raise_if(sheet.updated_at is distinct from p_seen, 'PT409', 'Another admin changed this split sheet meanwhile. Look at it again before you issue it.');
  select nullif(btrim(value #>> '{}'), '') into destination from public.site_settings where name = 'unallocated_share_to' and jsonb_typeof(value) = 'string';
  perform private.raise_if(destination is null, 'PT409', 'The terms leave 10% unassigned. Choose who gets it in Settings, Profit split; then the sheet can be issued.');
  select * into project from public.projects where id = sheet.project_id;
  perform private.require_split(project.id is not null, 'The project of this sheet is not there any more.');

  perform pg_advisory_xact_lock(hashtext('split sheet numbers'));
  -- The lock waits for payments that are being marked on it.
  select * into replaced from public.split_sheets where id = sheet.replaces for update;
  perform private.raise_if(replaced.project_id <> sheet.project_id or sheet.replaces is not null and replaced.issued_at is null or private.is_replaced(replaced.id), 'PT409',
    'The sheet that this one replaces has been replaced already.');
  perform private.raise_if(exists (
    select from public.split_sheets standing
    where standing.project_id = sheet.project_id and standing.issued_at is not null and standing.id is distinct from sheet.replaces
      and not private.is_replaced(standing.id)
  ), 'PT409', 'This project has an issued split sheet already. Correct that one instead.');

  perform private.require_split(total between 1 and 100000000000000 and total = trunc(total), 'The amount to share is more than nothing.');
  perform private.require_split(investor_percent between 0 and 25, 'Investors take 0 to 25 percent.');
  perform private.require_split(p_issue ->> 'payment' in ('short', 'monthly', 'long'), 'Choose how it is paid.');
  perform private.require_split(coalesce(p_issue ->> 'currency' in ('USD', 'INR', 'EUR', 'GBP'), false), 'Choose a currency.');
  perform private.raise_if(replaced.currency <> p_issue ->> 'currency' and exists (
    select from public.split_statements paid where paid.sheet_id = replaced.id
      and (paid.paid_before > 0 or exists (select from public.split_payments where statement_id = paid.id))
  ), 'PT409', format('Payments in %s are marked on the sheet that this one replaces. Keep that currency, or undo the payments first.', replaced.currency));
  perform private.require_split(char_length(terms_text) between 1 and 4000, 'The sheet has no text of the terms.');
  perform private.require_split(jsonb_typeof(people) = 'array' and jsonb_array_length(people) between 1 and 200 and jsonb_typeof(pools) = 'array'
    and octet_length(p_issue::text) <= 262144, 'A sheet names at least one person.');
  perform private.check_instalments(planned, p_issue ->> 'payment');
  perform private.check_shares(total, investor_percent, planned, people, pools);

  select coalesce(max(number), 0) + 1 into next_number from public.split_sheets;
  named := array(select private.split_person((one ->> 'member')::uuid, one ->> 'name') from jsonb_array_elements(people) as given (one));
  for statement, turn in select one, at from jsonb_array_elements(people) with ordinality as given (one, at) loop
    perform private.require_split(char_length(btrim(statement ->> 'name')) between 1 and 200, 'Everybody on the sheet has a name.');
    select * into person from public.profiles where id = (statement ->> 'member')::uuid for key share;
    perform private.require_split(person.id is not null or statement ->> 'member' is null, 'A person on the sheet has no account any more. Choose again, or type the name.');
    -- The same person on the replaced sheet: by account, or by name without one. One of the two statements may have gained
    -- or lost its account, if no other person on either sheet matches better.
    select array_agg(former.id), sum(former.paid_before + coalesce(paid_then.amount, 0)) into found_before, paid_earlier
    from public.split_statements former
      left join lateral (select sum(amount) as amount from public.split_payments where statement_id = former.id) paid_then on true
    where former.sheet_id = replaced.id and former.id <> all (matched) and (
      private.split_person(former.member, former.name) = private.split_person(person.id, statement ->> 'name')
      or num_nonnulls(former.member, person.id) = 1 and lower(former.name) = lower(btrim(statement ->> 'name'))
        and private.split_person(former.member, former.name) <> all (named)
        and not exists (
          select from public.split_statements other
          where other.sheet_id = replaced.id and private.split_person(other.member, other.name) = private.split_person(person.id, statement ->> 'name')
        )
    );
    matched := matched || found_before;
    insert into public.split_statements
      (sheet_id, number, name, member, user_id, project_title, currency, amount, payments, terms, replaces, issued_at, paid_before)
    values (
      sheet.id, next_number || '-' || turn, btrim(statement ->> 'name'), person.id, person.user_id, project.title, p_issue ->> 'currency',
      (select sum((share ->> 'share')::bigint) from jsonb_array_elements(statement -> 'shares') as lines (share)),
      (
        select jsonb_agg(jsonb_build_object('due', one ->> 'due', 'words', btrim(one ->> 'words'), 'amount', paid::bigint) order by at)
        from jsonb_array_elements(planned) with ordinality as instalment (one, at)
        join jsonb_array_elements_text(statement -> 'payments') with ordinality as paid (paid, paid_at) on paid_at = at
      ),
      terms_text, replaced.number, now(), coalesce(paid_earlier, 0)
    ) returning id into made;
    insert into public.split_shares (sheet_id, statement_id, cut, words, percent, weight, amount)
    select sheet.id, made, cut, words, percent, weight, share
    from jsonb_to_recordset(statement -> 'shares') as given (cut text, words text, weight bigint, share bigint)
    join private.split_terms(investor_percent) as named using (cut) order by named.place;
  end loop;
  perform private.raise_if(former.paid_before > 0 or exists (select from public.split_payments where statement_id = former.id), 'PT409',
    format('%s was paid on the sheet that this one replaces, or on an earlier one. Keep that person under this name.', former.name))
  from public.split_statements former where former.sheet_id = replaced.id and former.id <> all (matched);
  insert into public.split_shares (sheet_id, cut, words, percent, weight, amount)
  select sheet.id, cut, case when cut = 'unallocated' then left(words || ': ' || destination, 200) else words end, percent, 1, share
  from jsonb_to_recordset(pools) as given (cut text, words text, share bigint)
  join private.split_terms(investor_percent) as named using (cut) order by named.place;

  update public.split_sheets set
    plan = null, number = next_number, issued_at = now(), issued_by = auth.uid(), project_title = project.title, client = project.client,
    currency = p_issue ->> 'currency', amount = total, investors = investor_percent, payment = p_issue ->> 'payment',
    instalments = planned, unallocated_to = destination, terms = terms_text,
    credits = (select nullif(credits, '[]') from public.case_study_metadata where project_id = project.id)
  where id = sheet.id;
  perform private.record('split_sheets.issue', sheet.id::text, 'done', 'sheet ' || next_number);
  return next_number;
end $$;
comment on function public.issue_split_sheet is
  'For admins: issues a draft with its amounts, numbers it and creates a statement for each person. Returns the number.';

-- Security definer: users see their own statements, but no sheets.
create function public.replaced_by(p_statement public.split_statements) returns integer
language sql stable security definer set search_path = '' as $$
  select sheet.number
  from public.split_statements statement
  join public.split_sheets sheet on sheet.replaces = statement.sheet_id and sheet.issued_at is not null
  where statement.id = p_statement.id and (statement.user_id = (select auth.uid()) or (select public.is_admin()))
$$;
comment on function public.replaced_by is 'For their person and admins, as a column of statements: the number of the sheet that replaced its sheet.';

create function private.is_replaced(sheet uuid) returns boolean
language sql stable set search_path = '' as $$ select exists (select from public.split_sheets where replaces = sheet and issued_at is not null) $$;

create function public.instalments(p_statement public.split_statements) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_agg(one || jsonb_build_object(
    'place', at, 'open', least(part, greatest(0, total - p_statement.paid_before)), 'paid_on', payment.paid_on) order by at)
  from (
    select one, at, part, sum(part) over (order by at) as total
    from jsonb_array_elements(p_statement.payments) with ordinality as given (one, at), cast(one ->> 'amount' as bigint) as part
  ) as parts left join public.split_payments payment on statement_id = p_statement.id and place = at
$$;
comment on function public.instalments is
  'As a column of statements: [{"place", "due", "words", "amount", "open", "paid_on"}]; open is what payments on replaced sheets leave of the amount.';

create function public.mark_instalment(p_statement uuid, p_place integer, p_paid_on date) returns void
language plpgsql security definer set search_path = '' as $$
declare
  statement public.split_statements;
  unpaid bigint;
begin
  perform private.require_admin('Only an admin can mark payments.');
  select * into statement from public.split_statements where id = p_statement;
  perform private.raise_if(not found, 'PT404', 'This statement is not there any more.');
  -- A mark and a sheet that replaces this one wait for each other.
  perform from public.split_sheets where id = statement.sheet_id for update;
  perform private.raise_if(private.is_replaced(statement.sheet_id), 'PT409', 'A newer sheet replaced this one. Mark payments on that one.');
  if p_paid_on is null then
    delete from public.split_payments where statement_id = p_statement and place = p_place;
    perform private.raise_if(not found, 'PT409', 'This instalment is not marked as paid any more.');
  else
    select open into unpaid from jsonb_to_recordset(public.instalments(statement)) as part (place integer, open bigint) where place = p_place;
    perform private.raise_if(unpaid is null, 'PT404', 'This statement has no such instalment.');
    perform private.raise_if(unpaid = 0, 'PT409', 'Nothing of this instalment is left to pay.');
    perform private.raise_if(p_paid_on not between '2000-01-01' and current_date + 1, 'PT422', 'Choose the day of the payment: today or an earlier day.');
    insert into public.split_payments values (p_statement, p_place, unpaid, p_paid_on) on conflict do nothing;
    perform private.raise_if(not found, 'PT409', 'Another admin has just marked this instalment as paid.');
  end if;
  perform private.record(case when p_paid_on is null then 'split_sheets.unpay' else 'split_sheets.pay' end, statement.sheet_id::text, 'done',
    'statement ' || statement.number || ', instalment ' || p_place);
end $$;
comment on function public.mark_instalment is 'For admins: marks an instalment of a statement that is not replaced as paid on a day, or with null as not paid.';

-- Paid instalments in the year of their payment, also on replaced sheets; due ones in the year in which they are due.
create function public.own_earnings() returns table (year integer, currency text, paid bigint, due bigint, instalments jsonb)
language sql stable security definer set search_path = '' as $$
  with lines as (
    select currency, coalesce(paid_on, due) as day, paid_on is not null as is_paid, open as amount, number, project_title, place, words
    from public.split_statements own
      cross join jsonb_to_recordset(public.instalments(own)) as part (place integer, due date, words text, open bigint, paid_on date)
    where user_id = (select auth.uid()) and (paid_on is not null or open > 0 and not private.is_replaced(sheet_id))
  )
  select extract(year from day)::integer, currency,
    coalesce(sum(amount) filter (where is_paid), 0)::bigint, coalesce(sum(amount) filter (where not is_paid), 0)::bigint,
    jsonb_agg(jsonb_build_object('day', day, 'paid', is_paid, 'amount', amount, 'statement', number, 'place', place, 'project', project_title, 'words', words)
      order by day, number)
  from lines group by 1, 2 order by 1 desc, 2
$$;
comment on function public.own_earnings is 'For members: their paid and due instalments by year and currency, newest first.';

grant execute on function public.issue_split_sheet, public.replaced_by, public.instalments, public.mark_instalment, public.own_earnings to authenticated;
