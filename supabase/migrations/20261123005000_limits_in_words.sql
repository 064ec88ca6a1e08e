-- Text past its length is told like tags and media past their number are: 422, in words that say what to do.
create function private.at_most(length integer, most integer, words text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  if length > most then
    raise exception using errcode = 'PT422', message = words;
  end if;
  return true;
end $$;
comment on function private.at_most(integer, integer, text) is
  'For checks of lengths: true, or the whole statement is refused with 422 and these words.';
revoke all on function private.at_most(integer, integer, text) from public;
grant execute on function private.at_most(integer, integer, text) to anon, authenticated, service_role;

alter domain public.rich_text drop constraint "rich text is at most 100 KB";
alter domain public.rich_text add constraint "rich text is at most 100 KB"
  check (private.at_most(octet_length(value), 102400, 'A text is longer than 100 KB. Please shorten it, then save again.'));

alter table public.projects
  drop constraint "a title is 1 to 200 characters",
  drop constraint "a client is at most 200 characters",
  add constraint "a title is 1 to 200 characters" check (
    btrim(title) <> '' and private.at_most(char_length(title), 200, 'The title is longer than 200 characters. Please shorten it, then save again.')
  ),
  add constraint "a client is at most 200 characters" check (
    private.at_most(char_length(client), 200, 'The client is longer than 200 characters. Please shorten it, then save again.')
  );

alter table public.project_media
  drop constraint "a media title is at most 500 characters",
  drop constraint "a caption is at most 500 characters",
  drop constraint "an alternative text is at most 500 characters",
  add constraint "a media title is at most 500 characters" check (
    private.at_most(char_length(title), 500, 'A media title is longer than 500 characters. Please shorten it, then save again.')
  ),
  add constraint "a caption is at most 500 characters" check (
    private.at_most(char_length(description), 500, 'A caption is longer than 500 characters. Please shorten it, then save again.')
  ),
  add constraint "an alternative text is at most 500 characters" check (
    private.at_most(char_length(alt), 500, 'An alternative text is longer than 500 characters. Please shorten it, then save again.')
  );
