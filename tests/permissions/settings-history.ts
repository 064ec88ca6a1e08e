import { expect } from 'vitest';
import { admin, ids, theService } from './actors.ts';
import { onStage } from './stage.ts';

const READ = 'select subject, name, before, after, changed_by from settings_history order by id';

export const settingsHistory = onStage('settings history', ({ test }) => {
  test('records value, user and time for every way of changing (ASET-01)', async ({ as }) => {
    await as(admin).write(`insert into site_settings (name, value) values ('phone', '"1"')`);
    await as(admin).write(`update site_settings set value = '"2"' where name = 'phone'`);
    await as(admin).write(`update site_settings set value = '"2"' where name = 'phone'`);
    await as(theService).write(`delete from site_settings where name = 'phone'`);
    await as(admin).write(`insert into site_pages (slug, body) values ('terms', '<p>Old</p>')`);
    await as(theService).write(`update site_pages set slug = 'privacy' where slug = 'terms'`);
    expect(await as(admin).rows(READ)).toEqual([
      { subject: 'setting', name: 'phone', before: null, after: '1', changed_by: ids.admin },
      { subject: 'setting', name: 'phone', before: '1', after: '2', changed_by: ids.admin },
      { subject: 'setting', name: 'phone', before: '2', after: null, changed_by: null },
      { subject: 'page', name: 'terms', before: null, after: '<p>Old</p>', changed_by: ids.admin },
      { subject: 'page', name: 'terms', before: '<p>Old</p>', after: null, changed_by: null },
      { subject: 'page', name: 'privacy', before: null, after: '<p>Old</p>', changed_by: null },
    ]);
  });

  test('accepts colours that can be read and logos that run nothing, from admins and the service alone', async (scene) => {
    const { as } = scene;
    const insert = 'insert into site_settings (name, value) values ($1, $2::text::jsonb)';
    const colours = { hand: '#b5179e', machine: '#005f56', paper: '#fff6e5' };
    const logo = '<svg viewBox="0 0 9 9"><path d="M0 0h9v9z"></path></svg>';
    for (const [name, good, ...bad] of [
      ['brand_colours', colours, { ...colours, paper: '#888888' }, { ...colours, hand: 'red' }, null],
      ['logo', logo, logo.replace('<path', '<script/><path'), 7, 'Our logo'],
      ['logo_dark', logo, logo.replace('<path', '<path onclick="x()"'), '<svg>'.padEnd(150_001, 'x')],
    ] as const) {
      for (const actor of [admin, theService]) {
        for (const value of bad) await as(actor).refused('PT422', insert, [name, JSON.stringify(value)]);
        expect(await as(actor).write(insert, [name, JSON.stringify(good)]), name).toBe(1);
        expect(await as(actor).write('delete from site_settings where name = $1', [name])).toBe(1);
      }
    }
  });

  test('keeps the newest hundred entries per setting', async ({ as, server }) => {
    const ADD_TWO = `insert into site_settings (name, value) values ('phone', '0'), ('email', '"x@example.com"')`;
    await as(admin).write(ADD_TWO);
    const CHANGE_OFTEN = `do $$ begin for n in 1..104 loop update site_settings set value = to_jsonb(n) where name = 'phone'; end loop; end $$`;
    await server.query(CHANGE_OFTEN);
    const NEWEST = `select name, count(*)::int as kept, max(after #>> '{}') filter (where after = '104') as newest from settings_history group by name order by name`;
    const email = { name: 'email', kept: 1, newest: null };
    expect(await as(admin).rows(NEWEST)).toEqual([email, { name: 'phone', kept: 100, newest: '104' }]);
  });
});
