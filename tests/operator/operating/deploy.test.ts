import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, settingNames } from '../../../packages/backend/config/config.ts';
import { projectFiles } from '../../project-files.ts';
import { folderForTests } from '../folder-for-tests.ts';

const folder = folderForTests();

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

const isSetting = (name: string) => settingNames.some((known) => name === known || name === `${known}_FILE`);

interface Service {
  image?: string;
  command?: string;
  restart?: string;
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  depends_on?: string[] | Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  read_only?: boolean;
  cap_drop?: string[];
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  secrets?: Record<string, { file: string }>;
}

const read = (file: string) => parse(readFileSync(file, 'utf8'), { merge: true }) as Compose;

const settingsOf = ({ environment = {} }: Service, given: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value)
        .replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, variable: string, other = '') => given[variable] ?? other)
        .replace('/run/secrets', join(folder, 'deploy/secrets')),
    ]),
  );

function expectWhole({ services, volumes: known, secrets: files = {} }: Compose, at: string) {
  for (const [name, { volumes = [], secrets = [], depends_on: needs = [] }] of Object.entries(services)) {
    for (const volume of volumes) {
      const [source] = volume.split(':') as [string];
      expect(source.startsWith('./') ? existsSync(join(at, source)) : source in known, `${name}: ${source}`).toBe(true);
    }
    for (const secret of secrets) expect(files, name).toHaveProperty(secret);
    for (const other of Array.isArray(needs) ? needs : Object.keys(needs)) expect(services, name).toHaveProperty(other);
  }
}

describe('compose.yaml', () => {
  const compose = read('compose.yaml');
  const { madhouse: service } = compose.services as { madhouse: Service };
  const site = { SITE_URL: 'https://madhouse.agency' };

  it('is one read-only container with one volume and no privileges', () => {
    expect(Object.keys(compose.services)).toEqual(['madhouse']);
    expect(Object.keys(compose.volumes)).toEqual(['data']);
    expectWhole(compose, '.');
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(Object.keys(service.environment!).filter((name) => !isSetting(name))).toEqual([]);
  });

  it('does not start without SITE_URL or SMTP_URL, and names the missing setting', () => {
    expect(service.environment!['SITE_URL']).toMatch(/^\$\{SITE_URL:\?/);
    expect(() => readConfig(settingsOf(service, site))).toThrow(/^SMTP_URL is missing: .* or MAIL_DELIVERY=outbox/);
    const smtp = { SMTP_URL: 'smtps://me:secret@mail.example:465', MAIL_FROM: 'hello@madhouse.agency' };
    const mail = { kind: 'smtp', from: smtp.MAIL_FROM };
    const backend = { database: { kind: 'embedded' }, seed: 'none' };
    const expected = { siteUrl: site.SITE_URL, trustProxy: 1, mail, backend };
    expect(readConfig(settingsOf(service, { ...site, ...smtp }))).toMatchObject(expected);
    expect(readConfig(settingsOf(service, { ...site, MAIL_DELIVERY: 'outbox' })).mail.kind).toBe('outbox');
  });
});

describe('deploy/compose.cluster.yaml', () => {
  const compose = read('deploy/compose.cluster.yaml');
  const services = Object.entries(compose.services);
  const web = services.filter(([name]) => name.startsWith('web-')).map(([, service]) => service);

  it('sets existing settings to valid values, with every secret from a file that up.sh creates', () => {
    mkdirSync(join(folder, 'deploy'));
    cpSync('deploy/up.sh', join(folder, 'deploy/up.sh'));
    const run = () => execFileSync('sh', [join(folder, 'deploy/up.sh'), '--secrets-only'], { encoding: 'utf8' });
    expect(run()).toBe('');
    const secretOf = (name: string) => readFileSync(join(folder, 'deploy/secrets', name), 'utf8');
    const made = () => readdirSync(join(folder, 'deploy/secrets')).map((name) => [name, secretOf(name)]);
    const first = made();
    run();
    expect(made()).toEqual(first);
    expect(first.map(([name]) => name).sort()).toEqual([...Object.keys(compose.secrets!), 'store.env'].sort());
    for (const [name, { file }] of Object.entries(compose.secrets!)) expect(file).toBe(`./secrets/${name}`);
    // Format of Garage keys.
    expect(secretOf('s3_access_key_id')).toMatch(/^GK[\da-f]{24}$/);
    expect(secretOf('store.env').split('\n')).toEqual([
      expect.stringMatching(/^GARAGE_RPC_SECRET=[\da-f]{64}$/),
      `GARAGE_DEFAULT_ACCESS_KEY=${secretOf('s3_access_key_id')}`,
      `GARAGE_DEFAULT_SECRET_KEY=${secretOf('s3_secret_access_key')}`,
    ]);
    expect(web).toHaveLength(2);
    for (const service of web) {
      const { environment = {}, secrets = [] } = service;
      expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
      const files = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.*)/.exec(value)?.[1] ?? []);
      expect(files.sort()).toEqual([...secrets].sort());
      expect(() => readConfig(settingsOf(service))).toThrow(/^SMTP_URL is missing/);
      const url = expect.stringMatching(/:[\da-f]{48}@database:5432\/madhouse$/);
      const objects = { kind: 's3', url: 'http://store:3900', bucket: 'madhouse', region: 'us-east-1' };
      const backend = { database: { kind: 'postgres', url }, objects };
      const expected = { siteUrl: 'https://localhost', trustProxy: 1, backend };
      expect(readConfig(settingsOf(service, { MAIL_DELIVERY: 'outbox' }))).toMatchObject(expected);
    }
    expect(JSON.stringify(web.map(({ environment }) => environment))).not.toMatch(/(?:KEY|SECRET|DATABASE_URL)":/);
  });

  it('refers to existing files and services, with a health check where another service depends on one', () => {
    expectWhole(compose, 'deploy');
    // The combined image has its own health check.
    for (const [name, service] of services)
      if (service.restart && !name.startsWith('web-')) expect(service.healthcheck, name).toBeDefined();
    for (const service of web) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    const caddy = readFileSync('deploy/Caddyfile', 'utf8');
    for (const [name] of services.filter(([one]) => one.startsWith('web-'))) expect(caddy).toContain(`${name}:3000`);
    const garage = readFileSync('deploy/garage.toml', 'utf8');
    const settingOf = (name: string) => new RegExp(`${name} = "(.*)"`).exec(garage)![1];
    expect([settingOf('api_bind_addr'), settingOf('s3_region')]).toEqual(['[::]:3900', 'us-east-1']);
  });
});

describe('the image', () => {
  const lines = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '').split('\n');
  const steps = lines.filter((line) => /^[A-Z]/.test(line));
  const of = (word: string) =>
    steps.filter((step) => step.startsWith(`${word} `)).map((step) => step.slice(word.length + 1));

  it('uses existing files and npm scripts', () => {
    const rules = readFileSync('.dockerignore', 'utf8').split('\n');
    const patterns = rules.filter((line) => line && !line.startsWith('#')).map((line) => line.replace(/^\//, ''));
    const ignored = projectFiles().filter((file) =>
      patterns.some((pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`)),
    );
    const sources = of('COPY').filter((words) => !words.startsWith('--from'));
    const copied = sources.flatMap((words) => words.split(' ').slice(0, -1));
    expect(copied.filter((file) => file !== '.' && (!existsSync(file) || ignored.includes(file)))).toEqual([]);
    expect(ignored).toContain('tests/server.ts');
    expect(ignored).toContain('packages/backend/config/config.test.ts');
    const scripts = of('RUN').filter((step) => /^npm|^node launch/.test(step));
    expect(scripts).toEqual(['npm ci --include=dev', 'node launch.mjs release --folder /madhouse']);
    expect(of('ENTRYPOINT').concat(of('CMD'))).toEqual(['["node", "launch.mjs"]', '["start"]']);
    const variables = of('ENV').flatMap((words) => words.split(' '));
    for (const variable of variables) expect(settingNames).toContain(variable.split('=')[0]!);
  });

  it('runs as a user other than root, on the base image of its arguments', () => {
    expect(of('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    expect(of('FROM').map((words) => words.replace(/[${}]|\s.*/g, ''))).toEqual(['BASE', 'BASE']);
    expect(of('ARG').map((words) => words.split('=')[0])).toEqual(['BASE', 'SAML']);
  });
});

describe('the systemd unit', () => {
  const unit = readFileSync('deploy/madhouse.service', 'utf8');
  const here = join(folder, 'madhouse.service');
  writeFileSync(here, unit.replace('/usr/bin/node', process.execPath));

  it.skipIf(!has('systemd-analyze'))('is valid and sandboxed', () => {
    const verified = spawnSync('systemd-analyze', ['verify', here], { encoding: 'utf8' });
    expect([verified.status, verified.stdout, verified.stderr]).toEqual([0, '', '']);
    const words = ['security', '--offline=true', '--threshold=20', here];
    const open = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    expect([open.status, open.stderr]).toEqual([0, '']);
  });

  it('reloads by SIGHUP, allows enough time for a stop, and sets existing settings', () => {
    expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])).toBeGreaterThan(15);
    const names = [...unit.matchAll(/^#? ?Environment=([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(names.filter((name) => !isSetting(name) && name !== 'NODE_COMPILE_CACHE')).toEqual([]);
    expect(names.length).toBeGreaterThan(1);
  });
});

it.skipIf(!has('haproxy') || !has('openssl'))('HAProxy accepts the example configuration', () => {
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const made = [...'req -x509 -newkey ed25519 -nodes -subj /CN=localhost -keyout'.split(' '), key, '-out', certificate];
  execFileSync('openssl', made, { stdio: 'ignore' });
  const both = join(folder, 'madhouse.pem');
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, readFileSync('deploy/haproxy.cfg', 'utf8').replace('/etc/haproxy/madhouse.pem', both));
  const checked = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
  expect([checked.status, checked.stderr.match(/ALERT|WARNING/)]).toEqual([0, null]);
});
