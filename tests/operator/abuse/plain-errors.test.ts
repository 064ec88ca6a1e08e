import { expect, it } from 'vitest';
import { startMigratedPostgres } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { freePort } from '../../free-port.ts';
import { startServer } from '../../server.ts';
import { type Call, clientOf } from '../client.ts';

const SECRETS = {
  JWT_SECRET: 'a-secret-of-forty-letters-that-is-hidden-x',
  SETUP_KEY: 'the-setup-key-that-must-not-be-disclosed',
};
const PASSWORD = 'mail-password-of-the-operator';
const database = forAllTests(startMigratedPostgres);
const server = forAllTests(async () => {
  // Nothing listens on this port, so e-mails fail as well.
  const SMTP_URL = `smtp://madhouse:${PASSWORD}@127.0.0.1:${await freePort()}`;
  const DATABASE_URL = database.url.replace('postgres@', 'postgres:database-password@');
  return startServer({ DATABASE_URL, SMTP_URL, SEED: 'none', TRUST_PROXY: '1', ...SECRETS });
});
const client = clientOf(server);

type Question = [path: string, call?: Call];

const post = (path: string, json: unknown, headers: Record<string, string> = {}): Question => [
  path,
  { method: 'POST', json, headers },
];
const raw = (path: string, body: string, headers: Record<string, string> = {}): Question => [
  path,
  { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } },
];

const ID = 'b0000000-0000-4000-8000-00000000dead';
const questions = (): Question[] => {
  const asService = { apikey: client.secret, authorization: `Bearer ${client.secret}` };
  return [
    ['/rest/v1/no_such_table'],
    ['/rest/v1/projects?select=no_such_column'],
    ['/rest/v1/projects?id=eq.not-an-id'],
    ['/rest/v1/projects?order=title.sideways'],
    ['/rest/v1/projects?select=title,project_media(no_such_column)'],
    ["/rest/v1/projects?title=eq.'; drop table projects; --&budget=gt.x"],
    ['/rest/v1/projects?limit=-1'],
    ['/rest/v1/audit_log'],
    ['/rest/v1/projects?select=title', { headers: asService, method: 'DELETE' }],
    post('/rest/v1/projects', { title: null, status: 'nonsense' }, asService),
    post('/rest/v1/projects', { id: ID, no_such_column: 1 }, asService),
    post('/rest/v1/project_media', { project_id: ID, url: 'javascript:alert(1)' }, asService),
    post('/rest/v1/rpc/no_such_function', {}),
    post('/rest/v1/rpc/create_case_study', { title: '', nonsense: {} }),
    post('/rest/v1/rpc/is_admin', { unexpected: true }),
    raw('/rest/v1/projects', '{"title":', asService),
    ['/rest/v1/projects', { headers: { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' } }],
    ['/rest/v1/projects', { headers: { authorization: 'Bearer nonsense' } }],
    post('/auth/v1/token?grant_type=password', { email: 'unknown@madhouse.example', password: 'wrong' }),
    post('/auth/v1/token?grant_type=nonsense', {}),
    post('/auth/v1/signup', { email: 'not an address', password: 'x' }),
    post('/auth/v1/verify', { type: 'signup', token_hash: 'x' }),
    raw('/auth/v1/token?grant_type=refresh_token', 'nonsense'),
    ['/auth/v1/user', { headers: { authorization: 'Bearer nonsense' } }],
    ['/auth/v1/admin/users'],
    ['/auth/v1/authorize?provider=nonsense'],
    post('/auth/v1/sso/saml/acs', { SAMLResponse: 'nonsense' }),
    ['/storage/v1/object/public/case-studies/../../../../etc/passwd'],
    ['/storage/v1/object/public/no-such-bucket/picture.png'],
    ['/storage/v1/render/image/public/case-studies/images/nothing.png?width=nonsense'],
    raw('/storage/v1/object/case-studies/images/x.png', 'not a picture', { 'content-type': 'image/png' }),
    ['/storage/v1/upload/resumable/nonsense', { method: 'PATCH', body: 'x' }],
    post('/functions/v1/no-such-function', {}),
    post('/functions/v1/admin-setup', { email: 'x', password: 'y' }, { 'x-setup-key': 'wrong' }),
    post('/functions/v1/manage-users', { act: 'list' }),
    raw('/functions/v1/check-health', 'nonsense'),
    [`/case-studies/${ID}`],
    [`/drafts/${ID}?secret=nonsense`],
    ['/case-studies?page=nonsense&category=%00'],
    ['/%E0%A4%A'],
    ['/social/nonsense.png'],
    raw('/contact', 'message=&email=nonsense', { 'content-type': 'application/x-www-form-urlencoded' }),
  ];
};

function leaks(text: string): string[] {
  const own = new URL(server.base).host;
  const configured = [...Object.values(SECRETS), PASSWORD, 'database-password'];
  const secrets = [...configured, client.secret, server.dataDir, process.cwd()];
  const patterns = [
    /\n\s*at [^\n]+:\d+:\d+/,
    /node_modules|file:\/\/|\.ts:\d+/,
    /\b(insert into|delete from|update) [a-z_"]+\.?[a-z_"]* |\bselect\b[^<>{}]{1,200}\bfrom [a-z_]+\.[a-z_]+/i,
    /ECONN\w+|EPIPE|ENOENT|getaddrinfo|postgres(ql)?:\/\//,
    /private\.[a-z_]+\(|PL\/pgSQL/,
  ];
  const addresses = (text.match(/\b(127\.0\.0\.1|localhost)(:\d+)?/g) ?? []).filter((address) => address !== own);
  return [
    ...secrets.filter((secret) => text.includes(secret)),
    ...patterns.map((pattern) => pattern.exec(text)?.[0] ?? '').filter(Boolean),
    ...addresses,
  ];
}

async function requestAll() {
  const responses: { path: string; status: number; leaks: string[] }[] = [];
  for (const [path, call] of questions()) {
    const response = await client.send(path, { redirect: 'manual', ...call });
    const headerText = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    responses.push({ path, status: response.status, leaks: leaks(`${headerText}\n\n${await response.text()}`) });
  }
  return responses;
}

it('no response to a malformed request contains a stack trace, SQL, a secret or an internal address (ERR-12)', async () => {
  const responses = await requestAll();
  expect(responses.filter((response) => response.leaks.length > 0)).toEqual([]);
  expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
  expect(responses.filter(({ status }) => status >= 400).length).toBeGreaterThan(responses.length - 6);
});

it('no response contains internals while the database is unreachable (ERR-12)', async () => {
  await database.crash();
  const responses = await requestAll();
  await database.start();
  expect(responses.filter((response) => response.leaks.length > 0)).toEqual([]);
  expect(responses.some(({ status }) => status >= 500)).toBe(true);
});
