-- What is answered again and again is written once. Admins share the replies; a submitter only ever sees what was sent.

create table public.reply_templates (
  id         uuid primary key default gen_random_uuid(),
  answer     text not null constraint "a reply is for publish, ask or decline" check (answer in ('publish', 'ask', 'decline')),
  name       text not null constraint "a reply's name is 1 to 80 characters" check (char_length(btrim(name)) between 1 and 80),
  body       text not null constraint "a reply is 1 to 5000 characters" check (char_length(btrim(body)) between 1 and 5000),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now()
);
comment on table public.reply_templates is
  'Replies that admins put into an answer at the review desk. {title}, {client}, {site} and {me} are filled in there.';

alter table public.reply_templates enable row level security;
alter table public.reply_templates force row level security;
create policy "admins read replies" on public.reply_templates for select to authenticated using ((select public.is_admin()));
create policy "admins add replies" on public.reply_templates for insert to authenticated with check ((select public.is_admin()));
create policy "admins change replies" on public.reply_templates for update to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));
create policy "admins delete replies" on public.reply_templates for delete to authenticated using ((select public.is_admin()));
revoke all on public.reply_templates from public, anon, authenticated, service_role;
grant select, delete, insert (answer, name, body), update (answer, name, body) on public.reply_templates to authenticated;

create trigger touch before update on public.reply_templates for each row execute function private.touch();
select private.watch('public.reply_templates');

insert into public.reply_templates (answer, name, body) values
  ('ask', 'Say what the pictures show',
   E'Thank you for “{title}”. We like it, and would like to publish it.\n\nPlease say for each picture what it shows, in a sentence, so that people who cannot see it know it too. Then send it back: nothing else has to change.'),
  ('decline', 'Not for our portfolio',
   E'Thank you for sending us “{title}”. We read it with interest and will not publish it: our portfolio shows work in which people and machines made something together, and here we could not find both.\n\nYou are welcome to send us something else at any time.'),
  ('publish', 'Thank you',
   E'“{title}” is on {site} now. Thank you for letting us show it.\n\nIf something in it ever has to change, answer this mail.');
