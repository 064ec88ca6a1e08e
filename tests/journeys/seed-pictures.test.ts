import { readdirSync } from 'node:fs';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { admin, seeded, startSeeded } from './seeded.ts';
import { dataAs } from './signing-in.ts';

startSeeded({ readOnly: true });

const FOLDER = 'supabase/seed-pictures';

interface Row {
  url: string;
  poster: string | null;
  width: number | null;
  height: number | null;
  placeholder: string | null;
  loops: string[] | null;
}

it('stores every seed picture under its name in the seed rows, with its dimensions', async () => {
  const folders = readdirSync(FOLDER).filter((number) => number !== 'source');
  const files = folders.flatMap((number) => readdirSync(`${FOLDER}/${number}`).map((file) => `${number}/${file}`));
  const data = await dataAs(admin);
  const columns = 'url, poster, width, height, placeholder, loops';
  const { data: rows } = (await data.from('project_media').select(columns).throwOnError()) as { data: Row[] };
  const { data: people } = await data.from('site_settings').select('value').in('name', ['people', 'teachers']);
  const portraits = (people as { value: { portrait: string }[] }[]).flatMap(({ value }) => value);
  const shown = rows
    .flatMap(({ url, poster, ...row }) => [{ url, row }, ...(poster ? [{ url: poster, row: null }] : [])])
    .concat(portraits.map(({ portrait }) => ({ url: portrait, row: null })))
    .filter(({ url }) => url.includes('/case-studies/images/'));
  const file = (url: string) => {
    const [, number, place] = /-(\d{6})(\d{6})\.png$/.exec(url) ?? [];
    return `${Number(number)}/${Number(place)}.webp`;
  };
  const pictures = files.filter((name) => name.endsWith('.webp'));
  expect(shown.map(({ url }) => file(url)).sort()).toEqual(pictures.sort());
  const loops = rows.flatMap(({ url, loops }) =>
    (loops ?? []).map((format) => `${file(url).split('/')[0]}/loop.${format}`),
  );
  expect(loops.sort()).toEqual(files.filter((name) => !pictures.includes(name)).sort());

  for (const { url, row } of shown) {
    const answer = await fetch(seeded.base + new URL(url, seeded.base).pathname);
    const stored = sharp(await answer.arrayBuffer());
    const { format, width, height } = await stored.metadata();
    expect([answer.status, format], url).toEqual([200, 'png']);
    if (row) expect([row.width, row.height, typeof row.placeholder], url).toEqual([width, height, 'string']);
    const [there, sent] = await Promise.all(
      [stored, sharp(`${FOLDER}/${file(url)}`)].map((picture) => picture.removeAlpha().raw().toBuffer()),
    );
    expect(there!.equals(sent!), url).toBe(true);
  }
});
