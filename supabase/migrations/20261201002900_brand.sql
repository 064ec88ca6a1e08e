-- expand: the release before works on with the built-in brand.
-- Brand: colours whose words can be read, and logos, which are longer than other settings. A logo is its own value, so
-- that history, conflicts and archive treat it like every setting; the site sanitises it again when it serves it.

-- Relative luminance of WCAG 2 of a colour such as #2a44f5; app/lib/brand/colours.ts is the same.
create function private.luminance(colour text) returns double precision
language sql immutable set search_path = '' as $$
  select sum(weight * case when part <= 0.04045 then part / 12.92 else power((part + 0.055) / 1.055, 2.4) end)
  from (values (2, 0.2126), (4, 0.7152), (6, 0.0722)) as channel (at, weight)
  cross join lateral (select ('x' || substr(colour, at, 2))::bit(8)::integer / 255.0::double precision as part) value
$$;

create function private.contrast(one text, other text) returns double precision
language sql immutable set search_path = '' as $$
  select (greatest(a, b) + 0.05) / (least(a, b) + 0.05)
  from (select private.luminance(one) as a, private.luminance(other) as b) luminances
$$;

-- Security definer: writers may not look up other functions of this schema.
create function private.check_brand(name text, value jsonb) returns boolean
language plpgsql immutable security definer set search_path = '' as $$
declare
  ink constant text := '#1b1220';
  hand constant text := value ->> 'hand';
  machine constant text := value ->> 'machine';
  paper constant text := value ->> 'paper';
  logo constant text := value #>> '{}';
  problem text;
begin
  if name = 'brand_colours' then
    problem := case
      when num_nulls(hand, machine, paper) > 0 or hand || machine || paper !~ '^(#[0-9a-f]{6}){3}$' then 'A colour is written as #2a44f5.'
      when private.contrast(ink, paper) < 14 then 'This paper is too dark for the texts on it: choose a lighter colour.'
      when private.contrast(machine, paper) < 5.2 then 'Links in this colour are too pale on the paper: choose a darker colour.'
      when private.contrast(hand, paper) < 3 then 'The ink of the hand is too pale on the paper: choose a darker colour.'
      when greatest(private.contrast(ink, hand), private.contrast(paper, hand)) < 4.5
        then 'Neither dark nor light words can be read on the ink of the hand: choose a darker or a lighter one.'
    end;
  elsif name in ('logo', 'logo_dark') then
    problem := case
      when jsonb_typeof(value) <> 'string' or logo !~ '^(<svg[\s>].*</svg>|data:image/png;base64,iVBORw0KGgo[A-Za-z0-9+/]+=*|)$'
        then 'A logo is an SVG or a PNG.'
      when length(logo) > 150000 then 'This logo is too large. Make the file smaller, or simplify its shapes.'
      when logo ~* '<\s*([\w-]+:)?(script|foreignobject|iframe|object|embed|a|set|animate\w*)\M|[\s/"'']on\w+\s*=|<!(doctype|entity)|<\?|javascript:'
        then 'This SVG contains a script. Export it again without scripts, or as a PNG.'
      when logo ~* '@import|image-set|url\((?!\s*["'']?#)|(href|src)\s*=(?!\s*["''](#|data:image/(png|jpeg);base64,))'
        then 'This SVG refers to another file. Export it again with everything embedded, or as a PNG.'
    end;
  end if;
  perform private.raise_if(problem is not null, 'PT422', problem);
  return true;
end $$;
comment on function private.check_brand is 'For settings of the brand: true, or error 422 with a sentence about the colours or the logo.';
grant execute on function private.check_brand to authenticated, service_role;

alter table public.site_settings add constraint "a brand can be read and runs nothing" check (private.check_brand(name, value));
