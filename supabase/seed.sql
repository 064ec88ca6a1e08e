-- Demo data: three users, eighteen experiments, their pictures, texts and teams. All clients are invented.
-- The server stores each picture under its URL and generates the passwords, so this file contains no secret.

insert into auth.users
  (instance_id, id, aud, role, email, email_confirmed_at, email_change, email_change_token_new, confirmation_token, recovery_token,
   raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
select
  '00000000-0000-0000-0000-000000000000', person.id::uuid, 'authenticated', 'authenticated', person.email, now() - person.since, '', '', '', '',
  jsonb_build_object('provider', 'email', 'providers', jsonb_build_array('email'), 'demo_role', person.demo_role),
  jsonb_build_object('name', person.name, 'sub', person.id, 'email', person.email, 'email_verified', true, 'phone_verified', false),
  now() - person.since, now() - person.since
from (values
  ('a0000000-0000-4000-8000-000000000001', 'meera@madhouse.example', 'Meera Kulkarni', 'admin', interval '800 days'),
  ('a0000000-0000-4000-8000-000000000002', 'farhan@madhouse.example', 'Farhan Contractor', 'creator', interval '610 days'),
  ('a0000000-0000-4000-8000-000000000003', 'ines@madhouse.example', 'Ines D’Mello', 'member', interval '420 days')
) as person (id, email, name, demo_role, since)
on conflict (id) do nothing;

insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select id::text, id, raw_user_meta_data, 'email', null, created_at, created_at
from auth.users
where raw_app_meta_data ? 'demo_role'
on conflict (provider_id, provider) do nothing;

insert into public.roles (name) values ('member') on conflict (name) do nothing;
insert into public.user_roles (user_id, role_id)
select account.id, roles.id
from auth.users account join public.roles on roles.name = account.raw_app_meta_data ->> 'demo_role'
where account.raw_app_meta_data ->> 'demo_role' in ('admin', 'member')
on conflict do nothing;

create function pg_temp.experiment(number integer) returns uuid
language sql immutable as $$ select ('e0000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;
create function pg_temp.person(number integer) returns uuid
language sql immutable as $$ select ('a0000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;
-- URL of a picture, stored from seed-pictures/<number>/<place>.webp.
create function pg_temp.picture(number integer, place integer) returns text language sql stable as $$
  select coalesce(nullif(current_setting('app.site_url', true), ''), 'http://127.0.0.1:3000')
    || '/storage/v1/object/public/case-studies/images/f0000000-0000-4000-8000-'
    || lpad(number::text, 6, '0') || lpad(place::text, 6, '0') || '.png'
$$;

-- Path of a portrait: settings contain paths, not URLs.
create function pg_temp.portrait(place integer) returns text
language sql stable as $$ select substring(pg_temp.picture(19, place) from '/storage/.*') $$;

insert into public.projects
  (id, title, client, status, budget, show_budget, start_date, end_date, created_by, created_at, updated_at, submitted_at,
   description, understanding, actions, impact)
select
  pg_temp.experiment(seeded.number), title, client, status, budget, show_budget,
  (now() - age - interval '70 days')::date,
  case when status = 'completed' then (now() - age - interval '6 days')::date end,
  coalesce(pg_temp.person(maker), public.get_guest_user_id()),
  now() - age, now() - age, now() - age, brief, understanding, actions, impact
from (values
  (1, 'The Chai That Answers Back', 'Kulhad & Sons', 'completed', 18000.00, true, 1, interval '9 days',
   $t$<p>A tea company with sixty stalls and no call centre kept hearing the same eleven questions. Half of them were complaints about sugar.</p><p>They asked for a chatbot. We asked who was supposed to read it with a hot glass in one hand.</p>$t$,
   $t$<p>People at a stall talk. They do not scan, register or choose from a menu while four others wait behind them.</p><blockquote>If it takes longer than the chai takes to cool, it is not a service, it is homework.</blockquote><p>So the answer had to be spoken, short, and in whichever of four languages came first.</p>$t$,
   $t$<p>We put a small speaker inside a clay cup and taught it those eleven answers, recorded by the stall owners themselves.</p><ul><li>A language model listens and only ever picks one of the recordings.</li><li>When it is unsure it says so and calls the owner over.</li><li>Nothing a customer says is kept.</li></ul><p>The voice actors were paid in rupees and in gossip.</p>$t$,
   $t$<p>Complaints about sugar fell by a third, mostly because the cup now asks before the tea is poured.</p><p>Two stalls report customers who come back only to argue with it. We count that as loyalty.</p>$t$),

  (2, 'A Brand for a Bank That Hates Paper', null, 'completed', null, true, 1, interval '38 days',
   $t$<p>A new bank wanted to look trustworthy without columns, shields, lions or the colour blue. It also wanted everything to work in one ink, because that is how its passbooks are printed.</p>$t$,
   $t$<p>Trust in a bank is mostly the feeling that somebody has counted twice. We looked for marks that show counting: tally strokes, notches, the folded corner of a page already checked.</p><p>The name was fixed. Everything around it was not.</p>$t$,
   $t$<p>The mark is four strokes and a fifth across them. It grows: five accounts, five years, five branches. Every branch draws its own by hand and sends us a scan.</p><ol><li>Lettering cut by a sign painter in Girgaon.</li><li>A machine that spaces the strokes so no two documents repeat.</li><li>A rule book of nine pages, three of them pictures.</li></ol>$t$,
   $t$<p>The passbook printer in Nashik called to ask whether he may keep the plates. Opening an account now takes one sheet instead of seven.</p><p>The bank prefers to stay unnamed until its licence is framed and hanging.</p>$t$),

  (3, 'Forty Fishermen, One Brand Voice', 'Koli Catch Cooperative', 'active', 24000.00, true, 2, interval '52 days',
   $t$<p>Forty boat owners sell through one website. Each of them writes his own descriptions, usually from the boat, usually in capitals.</p><p>The cooperative wanted them to sound like one brand and refused to let anybody rewrite them.</p>$t$,
   $t$<p>We read fourteen months of messages. The good ones were all the same length: what, from where, caught when, and one opinion.</p><p>The opinion sold the fish. “Pomfret, dawn, Versova. Too pretty to fry” outsold the same pomfret by two to one.</p>$t$,
   $t$<p>Instead of a style guide we gave them a voice note. They speak while sorting; a small model writes down the four parts and leaves the opinion untouched, in the words it was said.</p><ul><li>Marathi, Koli and Hindi in, three languages out.</li><li>Prices are never guessed. A missing price stays missing.</li><li>Each text carries the name of the boat.</li></ul>$t$,
   $t$<p>Descriptions arrive before the ice does. The cooperative sells out earlier on weekdays than it used to on Sundays.</p><p>The most quoted line this season: “Surmai. Do not ask for a discount, it was a long night.”</p>$t$),

  (4, 'Monsoon Video Diary', 'Gully Raincoats', 'completed', 32000.00, true, 2, interval '75 days',
   $t$<p>A raincoat maker had a film budget for one day of sunshine and an umbrella company’s taste in music.</p><p>We proposed ninety days of rain instead, filmed by the people who stand in it.</p>$t$,
   $t$<p>Nobody in this city needs to be told that it rains. They like to be told that somebody else got wetter.</p><p>The coat should be visible in every shot and mentioned in none.</p>$t$,
   $t$<p>Twelve couriers, traffic wardens and one wedding band wore a coat and a chest camera from June to September. We received 410 hours of weather.</p><p>A vision model threw away everything without a face, a vehicle or a dog. What was left fitted on one disk, and two editors did the rest by hand.</p><blockquote>The dog appears in eleven episodes. He has been paid in biscuits.</blockquote>$t$,
   $t$<p>Ninety one-minute episodes, released on the evening of the day they happened. People began to use them as a traffic report.</p><p>The coats sold out in the second week of July. The band was booked for three weddings on the strength of episode 31.</p>$t$),

  (5, 'Ring Try-On Without the Ring', null, 'completed', 41000.50, true, 1, interval '101 days',
   $t$<p>A family of jewellers carries rings to customers in a locked case, with a guard, in a taxi. They wanted to carry fewer of them.</p>$t$,
   $t$<p>The usual filters paste a ring on a hand and call it a day. On a real finger a ring turns, catches the light from a window, and looks wrong on Tuesdays.</p><p>What buyers really compare is proportion: band against knuckle, stone against nail. Sparkle comes second.</p>$t$,
   $t$<p>We photographed 130 rings on a turntable built out of a sewing machine, and 60 hands, from a violinist’s to a bricklayer’s.</p><ul><li>The model learns size first and shine last.</li><li>It runs on the shop’s own tablet. No hand leaves the room.</li><li>If the light is too poor to be honest, it asks you to go to the window.</li></ul>$t$,
   $t$<p>Visits with the locked case went from five rings per customer to two. The guard has asked for a raise, since the two are better ones.</p><p>The house keeps its name to itself. You have probably walked past it.</p>$t$),

  (6, 'Night Market, Daylight Prices', 'Bazaar After Nine', 'completed', 9500.00, true, 2, interval '140 days',
   $t$<p>A night market with a hundred stalls posted one blurry flyer a week and wondered why only the blurry came.</p>$t$,
   $t$<p>The market changes every night, and a poster cannot. The stall holders do know what is new at 8.40 p.m., twenty minutes before anyone arrives.</p><p>Those twenty minutes are the whole campaign.</p>$t$,
   $t$<p>Each stall got a number and a lamp. At 8.40 one photographer walks the row with a timer and stops at nine stalls only.</p><ol><li>One picture, one price, one sentence.</li><li>Posted at nine sharp, deleted at sunrise.</li><li>A wall in the market shows last night’s nine, printed large.</li></ol>$t$,
   $t$<p>Stall holders now tidy up at 8.30, which the municipality had asked for since 2011.</p><p>Takings at the nine chosen stalls double for the night; the others queue to be next.</p>$t$),

  (7, 'What the Lift Operator Saw', 'Residents of Sea Breeze Towers', 'active', 0.00, true, 2, interval '166 days',
   $t$<p>Thirty-one years in one lift, nineteen floors, and nobody had ever asked him a question. The residents had a birthday coming up and no budget.</p>$t$,
   $t$<p>A lift is a stage with a door that opens on a different play each time. The operator knows all of the scripts and has never missed an entrance.</p><p>We agreed to work for nothing on the condition that nothing would be staged.</p>$t$,
   $t$<p>One fixed camera at the height of his stool, sound only while the doors are closed, and consent asked on every floor, in writing, in pencil.</p><p>The film is cut by floor number, not by date. People age and grow young again between the ninth and the tenth.</p>$t$,
   $t$<p>First shown in the lift itself, to four people at a time. The queue reached the street.</p><p>The society has since fixed the fan.</p>$t$),

  (8, 'Fewer Slides, Better Decisions', 'Harbour Line Logistics', 'completed', 15000.00, true, 1, interval '203 days',
   $t$<p>A logistics company made its monthly decisions from a deck of 140 slides. Nobody could remember the last decision.</p>$t$,
   $t$<p>We sat through three of those meetings with a stopwatch. Six slides were looked at for longer than ten seconds. Five of the six were maps.</p><p>The other 134 were there to prove that somebody had worked.</p>$t$,
   $t$<p>We replaced the deck by one table-sized map and a rule: whoever wants a decision brings a coin and puts it where the money goes.</p><ul><li>A model reads the week’s dispatch data and prints seven sentences, each with the number it came from.</li><li>If it cannot name the number, the sentence is not printed.</li><li>The meeting ends when the coins are placed.</li></ul>$t$,
   $t$<p>From three hours to fifty minutes, and eleven decisions in the first quarter, two of them unpopular and right.</p><blockquote>I used to prepare slides for a week. Now I prepare an opinion.</blockquote>$t$),

  (9, 'Kabootar', 'Pigeon Post Stationers', 'archived', 4000.00, true, 2, interval '240 days',
   $t$<p>A stationer wanted to sell envelopes to people who no longer write letters.</p>$t$,
   $t$<p>People do still write. They write on phones, at one in the morning, and then do not send it. We wanted to be where that happens.</p>$t$,
   $t$<p>You dictate the letter; a machine writes it by pen, slowly, in a hand of your choice. It is posted three days later, so you can still call it back.</p><p>The pen was built from a broken plotter. It smudges when it is humid, and so do we.</p>$t$,
   $t$<p>612 letters were written and 94 called back. We have read none of them.</p><p>The shop closed for other reasons, so this page is here for the record.</p>$t$),

  (10, 'The Museum of Things Left in Rickshaws', 'Meter Down Museum', 'active', 7200.00, true, 3, interval '281 days',
   $t$<p>A union of rickshaw drivers keeps a cupboard of what passengers leave behind. It holds 4,300 objects, among them a trombone.</p><p>They wanted to give things back. We wanted to see the trombone.</p>$t$,
   $t$<p>Lost-property pages fail because they show everything. The owner of a grey umbrella does not scroll through two hundred grey umbrellas.</p><p>A story is easier to find than an object: where from, where to, what was said on the way.</p>$t$,
   $t$<p>Drivers record thirty seconds about the ride. We publish the ride, not the thing.</p><ul><li>Every Friday five rides, told in the driver’s voice.</li><li>Owners prove themselves by saying what was left.</li><li>What nobody claims in a year goes on the shelf with a label.</li></ul>$t$,
   $t$<p>Three hundred and eleven things have gone home. A set of dentures was claimed twice.</p><p>The trombone is still here. It was a short ride, in F.</p>$t$),

  (11, 'Explaining a Heat Map to a Farmer Who Already Knows It Is Hot', 'Anna Fields', 'active', 28000.00, false, 1, interval '322 days',
   $t$<p>Satellite data for 900 small farms, delivered as a coloured map to phones with cracked screens and bright sun on them.</p>$t$,
   $t$<p>The map told people that the field which looked dry was dry. What they could not know was the field behind the hill, and the next four days.</p><p>So we threw away what they could see and kept the two things they could not.</p>$t$,
   $t$<p>One spoken message a day, twenty seconds, in the farmer’s own dialect: which plot, how much water, until when.</p><ol><li>The model gives a range, and the voice says it as a range.</li><li>Three wrong forecasts in a row, and it apologises and pauses.</li><li>Any farmer can ring back and correct it.</li></ol>$t$,
   $t$<p>Water use is down by a fifth in the first two blocks, measured at the pump and not in the model.</p><p>The corrections turned out better than the satellite on slopes. We now pay for them.</p>$t$),

  (12, 'Brand Refresh for a Circus Without Animals', 'Apollo Tent Show', 'completed', 36500.00, true, 2, interval '430 days',
   $t$<p>The elephants retired in 2013. The posters never heard about it.</p><p>A circus that lives from somersaults wanted to stop looking like a zoo.</p>$t$,
   $t$<p>We watched the show eleven times. The loudest silence comes just before a catch, when 900 people stop chewing.</p><p>That silence, not the somersault, is what they sell.</p>$t$,
   $t$<p>Every poster shows the moment before: a hand open, another one not there yet. Photographs by the troupe’s own cook, who has the best seat.</p><ul><li>Type that leans further the closer the show date comes.</li><li>A generated crowd for the tent’s outside walls, drawn from no real face.</li><li>Tickets with a torn edge that fits its neighbour’s.</li></ul>$t$,
   $t$<p>A season at 91 percent of seats, after four at less than half. Children ask for the posters, adults steal them.</p><p>The elephants have their own poster in the sanctuary’s office.</p>$t$),

  (13, 'Video Letters to the Electricity Board', null, 'archived', null, true, 2, interval '505 days',
   $t$<p>A neighbourhood had written 212 letters about the same transformer. It wanted to be answered, not to go viral.</p>$t$,
   $t$<p>An official reads a file. A file has a number, a page count and attachments. So a film should be an attachment, too.</p>$t$,
   $t$<p>Twenty-two letters of forty seconds: one room, one person, one evening without light. Filmed by candle because there was no other way.</p><p>We burnt them on discs, numbered them, and handed them in at the counter in triplicate.</p>$t$,
   $t$<p>The transformer was replaced after nine weeks. The stamp on our receipt is the only award we ever framed.</p>$t$),

  (14, 'Two Hundred Names for One Mango', 'Devgad Growers’ Union', 'completed', 12500.75, true, 1, interval '590 days',
   $t$<p>Every orchard calls its mango something else, and every trader calls it Alphonso. The union wanted one name, or a good reason against it.</p>$t$,
   $t$<p>We tasted for three weeks. The names are not decoration: they say which slope, which week, which uncle.</p><p>One name would be easier to print and worth less.</p>$t$,
   $t$<p>We kept all of them. A crate carries two lines: the name the orchard uses, and the day it was cut.</p><ul><li>A price study with 40 fruit sellers, carried out on foot.</li><li>A simple forecast of ripeness, printed as “eat on Thursday”.</li><li>A register of names, open to anyone who can bring a witness.</li></ul>$t$,
   $t$<p>Named crates fetch eleven percent more than unnamed ones of the same grade. The register holds 214 entries and three feuds.</p><blockquote>My grandfather’s name for it is now a price. He would have laughed and raised it.</blockquote>$t$),

  (15, 'Posters That Fade on Purpose', 'Pale Ink Press', 'active', 5000.00, true, 3, interval '705 days',
   $t$<p>A small press was tired of last year’s posters. It asked for a campaign that cleans up after itself.</p>$t$,
   $t$<p>Every poster outlives its event, and the wall pays for it. Cheap vegetable ink fades in the sun within six weeks. Most printers call that a fault.</p>$t$,
   $t$<p>We measured how fast each ink goes, on a north wall and on a south wall, and set the layout by the calendar: what matters last is printed in what lasts longest.</p><p>First the decoration goes, then the programme, then the place. The date stays until it is over.</p>$t$,
   $t$<p>Four hundred posters, none to be scraped off. The last thing legible on each was “thank you”.</p>$t$),

  (16, 'Bollywood Extras, Front Row', 'Junior Artistes’ Canteen', 'draft', null, true, 2, interval '3 days',
   $t$<p>Background actors spend their lives slightly out of focus. Their canteen turns fifty and wants its regulars in focus, once.</p>$t$,
   $t$<p>An extra’s skill is not to be noticed. To put one in front is easy; to show the skill is the job.</p>$t$,
   $t$<p>One portrait a day, with the sitter’s own list of everything they have been: jury, mob, second bridesmaid, corpse.</p><ul><li>No film stills, only the lists.</li><li>Read aloud by the person next to them at lunch.</li></ul>$t$,
   $t$<p>Thirty portraits so far. A corpse of the nineties has met his judge of the eighties, and they share a table now.</p>$t$),

  (17, 'An Oracle for Wedding Guest Lists', 'Baraat Planners', 'draft', 6000.00, true, 2, interval '1 day',
   $t$<p>Caterers cook for the invited, and aunts bring whom they like. Last season’s leftovers would have fed a suburb.</p>$t$,
   $t$<p>The number of guests follows the number of cousins, the distance to the station and the cricket fixtures. All three are public knowledge in a family.</p>$t$,
   $t$<p>Seven questions to the loudest aunt, one model, one range. The kitchen cooks the lower end and keeps the rest uncut.</p>$t$,
   $t$<p>Nine weddings, off by twelve plates on average. At the tenth it rained and everybody came.</p>$t$),

  (18, 'Typewriter Orchestra', 'Ribbon & Bell', 'draft', null, true, null, interval '5 hours',
   $t$<p>Eleven court typists retire this year. They would like to leave with noise.</p>$t$,
   null, null, null)
) as seeded (number, title, client, status, budget, show_budget, maker, age, brief, understanding, actions, impact)
order by age desc;

-- The last submission was interrupted after its first step, so the review queue hides it for two hours.
update public.projects set submitted_at = null, updated_at = created_at where id = pg_temp.experiment(18);

insert into public.case_study_metadata (project_id, category, tags, created_at)
select pg_temp.experiment(seeded.number), category, tags, project.created_at
from (values
  (1, 'ai', array['voice', 'tea', 'four languages', 'no screen']),
  (2, 'branding', array['identity', 'one ink', 'lettering']),
  (3, 'branding', array['tone of voice', 'cooperative', 'speech to text']),
  (4, 'video', array['documentary', 'monsoon', 'chest camera', 'dog']),
  (5, 'ai', array['computer vision', 'jewellery', 'on device']),
  (6, 'social', array['photography', 'night', 'print']),
  (7, 'video', array['documentary', 'one camera', 'pro bono']),
  (8, 'strategy', array['meetings', 'maps', 'data']),
  (9, 'other', array['handwriting', 'plotter']),
  (10, 'social', array['audio', 'lost property', 'union']),
  (11, 'ai', array['forecast', 'agriculture', 'voice']),
  (12, 'branding', array['posters', 'photography', 'tickets']),
  (13, 'video', array['letters', 'candlelight']),
  (14, 'strategy', array['naming', 'pricing', 'mango']),
  (15, 'branding', array['print', 'ink', 'sun']),
  (16, 'social', array['portraits', 'film']),
  (17, 'ai', array['weddings', 'forecast', 'food waste'])
) as seeded (number, category, tags)
join public.projects project on project.id = pg_temp.experiment(seeded.number);

-- Credits. Some experiments have none.
update public.case_study_metadata texts set credits = given.credits
from (
  select number, jsonb_agg(jsonb_build_object('part', part, 'made', made, 'people', people, 'tools', tools) order by place) as credits
  from (values
    (1, 1, 'Idea', 'hand', array['Meera Kulkarni'], array[]::text[]),
    (1, 2, 'Recordings', 'hand', array['Ines D’Mello', 'Eleven stall owners'], array[]::text[]),
    (1, 3, 'Listening', 'machine', array[]::text[], array['Whisper', 'A small language model']),
    (1, 4, 'Clay cups', 'hand', array['Kulhad & Sons'], array['Potter’s wheel']),
    (1, 5, 'Code', 'together', array['Devika Rao'], array['Code assistant']),
    (2, 1, 'Idea', 'hand', array['Meera Kulkarni'], array[]::text[]),
    (2, 2, 'Lettering', 'hand', array['Suresh Painter'], array['Enamel', 'Squirrel-hair brush']),
    (2, 3, 'Spacing', 'machine', array[]::text[], array['Our own plotter script']),
    (2, 4, 'Rule book', 'hand', array['Meera Kulkarni'], array[]::text[]),
    (3, 1, 'Idea', 'hand', array['Farhan Contractor'], array[]::text[]),
    (3, 2, 'Interviews', 'hand', array['Ines D’Mello'], array[]::text[]),
    (3, 3, 'Writing', 'together', array['Forty boat owners'], array['Whisper', 'A small language model']),
    (3, 4, 'Translation', 'machine', array[]::text[], array['IndicTrans2']),
    (3, 5, 'Code', 'machine', array['Devika Rao'], array['Code assistant']),
    (4, 1, 'Film', 'hand', array['Farhan Contractor', 'Twelve couriers'], array['Chest cameras']),
    (4, 2, 'First cut', 'machine', array[]::text[], array['Vision model']),
    (4, 3, 'Editing', 'hand', array['Tenzin Lama', 'Pooja Iyer'], array['DaVinci Resolve']),
    (4, 4, 'Sound', 'hand', array['A wedding band'], array[]::text[]),
    (5, 1, 'Idea', 'together', array['Meera Kulkarni'], array['Image model']),
    (5, 2, 'Photographs', 'hand', array['Ines D’Mello'], array['Turntable']),
    (5, 3, 'Proportions', 'machine', array['Devika Rao'], array['Hand-tracking model']),
    (5, 4, 'Light', 'machine', array[]::text[], array['Renderer']),
    (5, 5, 'Code', 'machine', array['Devika Rao'], array['Code assistant']),
    (7, 1, 'Film', 'hand', array['Farhan Contractor'], array['One camera']),
    (7, 2, 'Editing', 'hand', array['Tenzin Lama'], array[]::text[]),
    (7, 3, 'Subtitles', 'machine', array[]::text[], array['Whisper']),
    (8, 1, 'Talks', 'hand', array['Meera Kulkarni'], array['Coins', 'One map']),
    (8, 2, 'Numbers', 'machine', array['Devika Rao'], array['DuckDB', 'A forecasting model']),
    (8, 3, 'Seven sentences', 'together', array['Meera Kulkarni'], array['A language model']),
    (10, 1, 'Idea', 'hand', array['Farhan Contractor'], array[]::text[]),
    (10, 2, 'Stories', 'hand', array['Drivers of the union'], array[]::text[]),
    (10, 3, 'Sound', 'together', array['Ines D’Mello'], array['Noise removal model']),
    (11, 1, 'Forecast', 'machine', array[]::text[], array['GraphCast', 'Eleven weather stations']),
    (11, 2, 'Wording', 'together', array['Anand Shetty'], array['A language model']),
    (11, 3, 'Voice', 'machine', array[]::text[], array['Speech synthesis']),
    (11, 4, 'Code', 'machine', array['Devika Rao'], array['Code assistant']),
    (12, 1, 'Photographs', 'hand', array['Maria of the kitchen tent'], array[]::text[]),
    (12, 2, 'Layout', 'hand', array['Ines D’Mello'], array['Scissors']),
    (12, 3, 'Leaning type', 'together', array['Ines D’Mello'], array['Variable font']),
    (15, 1, 'Idea', 'hand', array['Ines D’Mello'], array[]::text[]),
    (15, 2, 'Ink', 'hand', array['Ines D’Mello'], array['Turmeric', 'The sun']),
    (16, 1, 'Portraits', 'together', array['Farhan Contractor'], array['Image model']),
    (17, 1, 'Forecast', 'machine', array[]::text[], array['A forecasting model']),
    (17, 2, 'Idea', 'hand', array['Farhan Contractor'], array[]::text[])
  ) as credited (number, place, part, made, people, tools)
  group by number
) as given
where texts.project_id = pg_temp.experiment(given.number);

-- Most pictures have no label; one is decorative; some in drafts lack an alternative text.
insert into public.project_media (project_id, type, url, title, description, made, alt, "order")
select pg_temp.experiment(seeded.number), 'image', pg_temp.picture(seeded.number, place), title, caption, made, alt, place
from (values
  (1, 0, 'The cup', 'Clay, copper wire, one very small speaker.', null, 'A clay cup with a round speaker in its wall and a copper wire; its steam forms a speech bubble'),
  (1, 1, 'Stall 14, Dadar', 'The owner recorded all eleven answers in one take.', null, 'The owner of stall 14 pours tea from high above and speaks into a recorder, with the city lit behind him'),
  (1, 2, 'Four languages', 'The same answer, spoken over four teas.', 'machine', 'Four clay cups of tea on a steel tray from above; ripples draw another pattern in each'),
  (1, 3, 'Sugar', 'The question, as drawn by a customer.', 'hand', 'A ballpoint cup on a napkin asks: three spoons? A real spoon of sugar lies on it, and an ant arrives'),
  (2, 0, 'Five strokes', 'The mark of the first branch.', 'hand', 'A hand with a broad brush paints the fifth white stroke across four on a red brick wall'),
  (2, 1, 'Passbook', 'One ink, one sheet.', 'together', 'A hand with bangles holds a sheet that falls open in folds, covered with tally strokes and one stamp'),
  (2, 2, 'Nine pages', 'The whole rule book.', null, 'Nine small pages in two rows on a green cutting mat, with a ruler and a glass of tea'),
  (3, 0, 'Forty boats', 'One fish.', null, 'Forty small boats on a blue sea, seen from above, in the shape of one fish; a gull flies over them'),
  (3, 1, 'Versova, 5.10 a.m.', 'Sorting while speaking.', null, 'At sunrise on the beach a man sorts pomfret into baskets and talks to the phone on his chest'),
  (3, 2, 'A label', 'The opinion stays as it was said.', 'together', 'A pomfret on ice with a paper label: a boat, lines of handwriting and “Too pretty” in yellow marker'),
  (3, 3, 'Sold out', 'On a Tuesday, before the ice had melted.', null, 'A ginger cat sits in the pan of a fish scale; the crates are empty and one fishbone is left'),
  (4, 0, 'Ninety days of rain', 'A traffic warden, episode 1.', null, 'A traffic warden in a red raincoat holds up a hand and whistles in heavy rain, a taxi behind him'),
  (4, 2, 'Episode 31', 'The band, waist deep.', 'hand', 'Four bandsmen in red coats play tuba, trumpet, drum and cymbals in brown water up to the waist'),
  (4, 3, 'The dog', 'Eleven episodes.', null, 'A wet street dog with one folded ear balances a biscuit on its nose'),
  (5, 0, 'Sixty hands', 'From a violinist’s to a bricklayer’s.', 'hand', 'Sixty raised hands in a grid of coloured squares; some wear rings, bangles, watches or henna'),
  (5, 1, 'The turntable', 'It used to be a sewing machine.', null, 'A black sewing machine turns a ring on a brass plate under a lamp; a camera looks on'),
  (5, 2, 'At the window', null, null, 'A woman in a pink sari holds her ringed hand up to the window; a tablet on her lap measures it'),
  (5, 3, 'Band against knuckle', 'Size first, shine last.', 'machine', 'A finger in close-up wears a red stone, held in a calliper and marked with yellow measuring lines'),
  (6, 0, 'Nine lamps', 'A hundred stalls, 9.05 p.m.', 'hand', 'A night market from above: rows of dark stalls, nine of them lit by a lamp and crowded'),
  (6, 1, 'Last night’s wall', 'Printed large, taken down at nine.', 'hand', 'Nine large price posters on a wall; a woman on a ladder peels off the last one'),
  (6, 2, 'Stall 41', 'One picture, one price, one sentence.', 'hand', 'A smiling woman at stall 41 holds up glass bangles under a bulb; a slate says 40 rupees'),
  (7, 0, 'Nineteen floors', null, null, 'A tower cut open: nineteen floors of small rooms full of people, and the lift in the middle'),
  (7, 2, 'The operator', 'Consent on every floor, in writing, in pencil.', null, 'The old lift operator in khaki smiles on his stool behind the folding gate, a hand on the buttons'),
  (7, 3, 'First showing', 'Four people at a time; the stool was needed for the projector.', null, 'The lift from above: four people watch a film on the door; the projector has the stool'),
  (8, 0, 'The table', 'One map, eleven coins.', 'hand', 'A harbour map on a table from above; six people push gold coins to the places they choose'),
  (8, 1, 'Seven sentences', 'Each with the number it came from.', null, 'A blue printer pushes out seven lines of text; each ends in a number marked in yellow'),
  (8, 2, 'The other 134', 'Six slides stayed on the wall. Five of them are maps.', null, 'A man wheels a tall stack of slides out of the door; six stay pinned to the wall'),
  (9, 0, 'The pen', 'It smudges when it is humid.', 'together', 'A fountain pen in a taped plotter writes three lines in blue; one of them is smudged'),
  (9, 1, 'Called back', '94 of 612.', null, 'A pigeon on a red post box holds a letter; a hand below still has it on a thread'),
  (9, 2, 'One in the morning', 'Most letters were dictated lying down.', null, 'A man in bed at one in the morning talks to the phone above his face; a pigeon sleeps outside'),
  (10, 0, 'The cupboard', '4,300 things.', null, 'A blue steel cupboard, wide open, full of lost things, one shelf of umbrellas; a black cat lies on top'),
  (10, 1, 'Trombone', 'Still unclaimed.', null, 'A brass trombone with a paper tag lies on the red back seat of a rickshaw at dusk'),
  (10, 2, 'A ride, told', null, null, ''),
  (10, 3, 'Dentures', 'Claimed twice.', null, 'False teeth grin in a glass of water; two paper tags hang from it, one on each side'),
  (11, 0, 'What the satellite saw', null, null, 'Fields from above, crossed by a strip of heat-map squares; a farmer looks up from the hottest one'),
  (11, 1, 'Twenty seconds', 'The whole message, as a waveform.', 'machine', 'A row of millet shaped like a sound wave; its roots mirror the stalks underground'),
  (11, 2, 'A correction', 'The hill knows better, and has a phone.', null, 'A farmer in a red turban talks on the phone and points at the hill behind his fields'),
  (12, 0, 'The moment before', null, null, 'Two trapeze artists under a striped tent roof reach for each other; their hands do not touch yet'),
  (12, 1, 'Nine hundred people, not chewing', 'Except one.', 'machine', 'A dark tent full of open mouths; a spotlight finds the one person who is still eating popcorn'),
  (12, 2, 'Torn to fit', 'Two tickets, one edge.', 'hand', 'Two circus tickets on blue planks, a hand printed on each, with torn edges that fit together'),
  (12, 3, 'Leaning type', 'Three weeks, two weeks, tonight.', 'together', 'Three posters that say “HUP”, each leaning further, and three children leaning with them'),
  (13, 0, 'By candle', null, null, 'An old woman with a letter in her hands, lit by one candle; the office block outside is bright'),
  (13, 2, 'In triplicate', 'Numbered, stamped, handed in.', null, 'A clerk behind a wire grille watches a hand stamp the third of three numbered discs'),
  (13, 3, 'The transformer', 'The subject of 212 letters.', null, 'A transformer on a pole in a tangle of wires, with crows, a kite and letters flying past'),
  (14, 0, 'Two lines on a crate', null, null, 'A wooden crate of ripe mangoes; its label says Devgad in Marathi, with one of seven boxes ticked'),
  (14, 1, 'Eat on Thursday', null, null, 'Seven mangoes from green to brown; the fourth is bigger, cut open and golden'),
  (14, 2, 'The register', '214 names, three feuds.', null, 'A red cloth-bound ledger full of names; three are crossed out, with red arrows across the page'),
  (15, 0, 'Before: week one', null, 'hand', 'Four bright posters for the 28th on a brick wall; a man cycles past with more in his box'),
  (15, 1, 'After: week four', null, null, 'The same wall: the posters are almost blank, only the date is still strong; a dog sleeps below'),
  (15, 2, 'Thank you', 'The last words on the wall.', null, 'A woman with jasmine in her hair reads the words “thank you” on a faded poster'),
  (15, 3, 'Six weeks of sun', 'Turmeric goes first.', null, 'Five rows of ink swatches that grow paler from left to right, beside jars, turmeric and a beetroot'),
  (16, 0, 'Second bridesmaid', null, 'together', 'A woman in a blue sari with a tray of marigolds, in focus; the film stars behind her are big dots'),
  (16, 1, 'The list', null, null, null),
  (16, 2, 'Lunch', 'A corpse of the nineties, a judge of the eighties.', null, 'An old man in a shroud and garland and one in a judge’s gown laugh over one plate of food'),
  (17, 0, 'Seven questions', null, null, 'A laughing aunt in a green sari, one finger raised, behind seven microphones'),
  (17, 2, 'The lower end', 'The rest stays uncut.', null, 'A kitchen from above: a cook stirs a huge pot of rice; vegetables and a knife wait their turn'),
  (17, 3, 'The tenth wedding', 'It rained and everybody came.', null, 'A bridegroom on a white horse at night in the rain, in a crowd full of coloured umbrellas')
) as seeded (number, place, title, caption, made, alt);

-- Open films of the Blender Foundation, because client films cannot be distributed.
insert into public.project_media (project_id, type, url, title, description, "order")
select pg_temp.experiment(seeded.number), type, url, title, caption, place
from (values
  (4, 1, 'video', 'https://www.youtube.com/watch?v=WhWc3b3KhnY', 'A stand-in for episode 1', 'The diary itself stays with the couriers.'),
  (7, 1, 'video', 'https://www.youtube.com/watch?v=R6MlUcmOul8', 'A stand-in for the film', 'Ours is shown in the lift only.'),
  (13, 1, 'video', 'https://youtu.be/eRsGyueVLvQ', 'A stand-in for letter 7', null),
  (17, 1, 'demo', 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', 'A stand-in for the oracle at work', null)
) as seeded (number, place, type, url, title, caption);

insert into public.project_members (project_id, user_id, name, role, contribution_percentage, created_at)
select pg_temp.experiment(seeded.number), pg_temp.person(person), name, role, share, now() + row_number() over () * interval '1 microsecond'
from (values
  (1, 1, null, 'Manager', 15), (1, 3, null, 'Sound', 25), (1, null, 'Devika Rao', 'Engineering', 30),
  (2, 1, null, 'Manager', 15), (2, null, 'Suresh Painter', 'Lettering', 35),
  (3, 2, null, 'Idea', 5), (3, 3, null, 'Interviews', 20), (3, null, 'Devika Rao', 'Engineering', 25),
  (4, 2, null, 'Direction', 30), (4, null, 'Tenzin Lama', 'Editing', 25), (4, null, 'Pooja Iyer', 'Editing', 25),
  (5, 1, null, 'Manager', 15), (5, null, 'Devika Rao', 'Engineering', 40), (5, 3, null, 'Photography', 20),
  (6, 2, null, 'Photography', 40), (6, 3, null, 'Print', 20),
  (7, 2, null, 'Direction', 50), (7, null, 'Tenzin Lama', 'Editing', 50),
  (8, 1, null, 'Facilitation', 45), (8, null, 'Devika Rao', 'Data', 25),
  (10, 3, null, 'Audio', 40), (10, 2, null, 'Idea', 5),
  (11, 1, null, 'Manager', 15), (11, null, 'Anand Shetty', 'Agronomy', 22.5), (11, null, 'Devika Rao', 'Engineering', 22.5),
  (12, 2, null, 'Idea', 5), (12, null, 'Maria of the kitchen tent', 'Photography', 30), (12, 3, null, 'Layout', 25),
  (14, 1, null, 'Research', 30), (14, null, 'Anand Shetty', 'Tasting', 25),
  (15, 3, null, 'Print', 60), (16, 2, null, 'Portraits', 50), (17, 2, null, 'Idea', 5)
) as seeded (number, person, name, role, share);

update public.project_media set is_cover = true where url in (pg_temp.picture(10, 1), pg_temp.picture(15, 3));
update public.project_media set poster = pg_temp.picture(4, 1) where project_id = pg_temp.experiment(4) and type = 'video';

-- Six members of the collective and two teachers, with portraits.
insert into public.site_settings (name, value)
select 'people', jsonb_agg(jsonb_build_object('name', name, 'craft', craft, 'city', city, 'portrait', pg_temp.portrait(place)) order by place)
from (values
  (0, 'Meera Kulkarni', 'Strategy and writing', 'Mumbai'),
  (1, 'Ines D’Mello', 'Photography and layout', 'Panaji'),
  (2, 'Devika Rao', 'Code and machines', 'Bengaluru'),
  (3, 'Farhan Contractor', 'Direction', 'Mumbai'),
  (4, 'Tenzin Lama', 'Film editing', 'Gangtok'),
  (5, 'Anand Shetty', 'Words for voices', 'Mangaluru')
) as person (place, name, craft, city)
union all
select 'teachers', jsonb_agg(jsonb_build_object('name', name, 'record', record, 'portrait', pg_temp.portrait(place)) order by place)
from (values
  (6, 'Rukhsana Merchant', E'Goldsmith since 1994, third generation, Zaveri Bazaar\nHas retouched gold for eleven catalogues\nTells 18 carat from 22 by its shadow'),
  (7, 'Kabir Nair', E'Trains image models for things that shine\nPhotographed 4,000 rings to teach one\nKnows what they get wrong: prongs, hallmarks and fingers')
) as teacher (place, name, record);
-- A masterclass on the weekend four weeks from now; a past one could not be booked.
insert into public.site_settings (name, value)
select 'masterclass', jsonb_build_object(
  'days', jsonb_build_array(saturday, saturday + 1), 'from', '14:30', 'to', '19:00', 'utcOffset', '+05:30', 'city', 'Mumbai',
  'seats', 5, 'perQuarter', 2, 'standardFee', 12500, 'memberFee', 9985, 'saving', 90
)
from (select date_trunc('week', current_date + 28)::date + 5 as saturday) as next
union all select 'masterclass_seats_taken', '2';
