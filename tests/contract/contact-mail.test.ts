import { beforeEach, describe, expect, it } from 'vitest';
import { postgresql } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { type MailOptions, mailFixture } from './open-mail.ts';

const database = forAllTests(() => postgresql.open({ migrated: true }));
const fixture = mailFixture(database);
const { startServer } = fixture;
beforeEach(() => database.db.script('delete from public.contact_messages; delete from public.site_settings'));

/** Received e-mails without the soft line breaks of quoted-printable. */
const received = () =>
  (fixture.server?.accepted ?? []).map(({ to, text }) => ({
    to,
    text: text.replaceAll('=\r\n', '').replaceAll('=3D', '='),
  }));
const headersOf = ({ text }: { text: string }) => text.slice(0, text.indexOf('\r\n\r\n'));

const start = (options?: MailOptions) => fixture.open({ SMTP_URL: `smtp://127.0.0.1:${fixture.port}` }, options);

const write = (name = 'Asha', email = 'asha@example.com', message = 'Hello') =>
  database.db.query('select public.send_message($1, $2, $3)', [name, email, message]);
const unmailed = async () => {
  const query = 'select name from public.contact_messages where mailed_at is null';
  return (await database.db.query<{ name: string }>(query)).rows.map(({ name }) => name);
};
/** Senders of the received messages. */
const senders = () => received().map(({ text }) => /Message from (\w+)/.exec(text)![1]);
const arrives = (number: number) => expect.poll(() => received().length).toBe(number);
const allMailed = () => expect.poll(unmailed).toEqual([]);

describe('contact message', () => {
  it('is mailed to the agency immediately, and a reply reaches the visitor', async () => {
    await startServer();
    await start();
    await write('Asha', 'asha@example.com', 'One line\nand <b>another</b>');
    await arrives(1);
    await allMailed();
    expect(received()[0]!.to).toBe('hello@madhouse.example');
    expect(headersOf(received()[0]!)).toMatch(/^Reply-To: Asha <asha@example\.com>$/m);
    expect(headersOf(received()[0]!)).toMatch(/^Subject: Message from Asha$/m);
    expect(headersOf(received()[0]!)).toMatch(/^From: Madhouse <hello@madhouse\.example>$/m);
    expect(received()[0]!.text).toContain('One line\r\nand <b>another</b>');
    expect(received()[0]!.text).toContain('and &lt;b&gt;another&lt;/b&gt;');
  });

  it('is mailed to the address of the settings once it is set', async () => {
    await startServer();
    await start();
    const SET_EMAIL = `insert into public.site_settings (name, value) values ('email', $1::text::jsonb)
      on conflict (name) do update set value = excluded.value`;
    const set = (value: string) => database.db.query(SET_EMAIL, [value]);
    await set('"studio@madhouse.example"');
    await write();
    await arrives(1);
    for (const useless of ['"no-address"', '42', '"a@b.example, c@d.example"']) {
      await set(useless);
      await write();
      await allMailed();
    }
    await arrives(4);
    const [studio, hello] = ['studio@madhouse.example', 'hello@madhouse.example'];
    expect(received().map(({ to }) => to)).toEqual([studio, hello, hello, hello]);
  });

  it('is sent in the name and the layout of the brand', async () => {
    await startServer();
    await start();
    await database.db.script(`insert into public.site_settings (name, value) values ('site_name', '"Studio Nila"'),
      ('sender_name', '"Nila, by post"'), ('brand_colours', '{"hand": "#b5179e", "machine": "#005f56", "paper": "#fff6e5"}')`);
    await write();
    await arrives(1);
    expect(headersOf(received()[0]!)).toMatch(/^From: "Nila, by post" <hello@madhouse\.example>$/m);
    expect(received()[0]!.text).toContain('background:#b5179e');
    expect(received()[0]!.text).toContain('STUDIO NILA');
  });

  it('cannot inject headers', async () => {
    await startServer();
    await start();
    // Bypasses the constraint on names, because the e-mail must be safe by itself.
    await database.db.script(`
      alter table public.contact_messages drop constraint "a name is 1 to 200 characters in one line";
      insert into public.contact_messages (name, email, message)
        values (E'Eve\\r\\nBcc: all@example.com\\r\\n\\r\\nGotcha "<x@example.com>,', 'eve@example.com', E'.\\r\\nRSET\\r\\n.');`);
    await arrives(1);
    await database.db.script(`
      delete from public.contact_messages;
      alter table public.contact_messages add constraint "a name is 1 to 200 characters in one line"
        check (char_length(name) between 1 and 200 and name !~ '[[:cntrl:]]');`);
    expect(received()[0]!.to).toBe('hello@madhouse.example');
    expect(headersOf(received()[0]!)).not.toMatch(/^(Bcc|Gotcha)/im);
    expect(headersOf(received()[0]!)).toMatch(/^Reply-To: .*<eve@example\.com>$/ms);
  });

  it('does not delay other messages when it is rejected, and stays stored', async () => {
    await startServer();
    await write('Refused');
    await write('Second');
    fixture.refusals = [550];
    await start();
    await arrives(1);
    await allMailed();
    expect(senders()).toEqual(['Second', 'Refused']);
  });

  it('is mailed even when more older messages are rejected than one batch holds', async () => {
    await startServer();
    await database.db.script(`insert into public.contact_messages (name, email, message)
      select case when n = 502 then 'Newest' else 'Refused' end, 'asha@example.com', 'Hello' from generate_series(1, 502) n`);
    const mail = await start({
      change: (carrier) => ({
        ...carrier,
        deliver: async (mail, message) => {
          if (message.subject.includes('Refused'))
            throw Object.assign(new Error('not this one'), { responseCode: 550 });
          await carrier.deliver(mail, message);
        },
      }),
    });
    await arrives(1);
    expect(senders()).toEqual(['Newest']);
    await mail.close();
    expect(await unmailed()).toHaveLength(501);
  });

  it('is not mailed when an admin has deleted it meanwhile', async () => {
    await write('Unwanted');
    await database.db.script('delete from public.contact_messages');
    await write('Wanted');
    await startServer();
    await start();
    await arrives(1);
    await allMailed();
    expect(senders()).toEqual(['Wanted']);
    await expect.poll(async () => (await database.db.query('select from internal.mails')).rows).toEqual([]);
  });

  it('waits in the database while the mail server is down, also over a restart, and is then mailed once', async () => {
    const first = await start();
    await write('First');
    await write('Second');
    await first.close();
    expect(await unmailed()).toEqual(['First', 'Second']);
    const second = await start();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await unmailed()).toEqual(['First', 'Second']);
    await startServer();
    await arrives(2);
    await allMailed();
    await second.close();
    await start();
    await write('Third');
    await arrives(3);
    const [one, other, last] = senders();
    // The first two were retried, and may be due in any order.
    expect([[one, other].toSorted(), last]).toEqual([['First', 'Second'], 'Third']);
  });
});
