import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { freePort } from '../free-port.ts';
import { folderOnDisk } from '../scratch.ts';
import { installPackages, noteSkipped } from './debian-packages.ts';

export interface TestSwift {
  url: string;
  settings(): Promise<Record<string, string>>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

const SERVERS = ['object', 'container', 'account'] as const;
const PACKAGES = [...SERVERS, 'proxy'].map((name) => `swift-${name}`).concat('memcached');
/** Runs a server and stops it when the pipe to this process breaks. */
const RUN_UNTIL_PIPE_CLOSES =
  '"$0" "$@" & server=$!; (cat <&3 >/dev/null; kill -KILL $server) & exec 3<&-; wait $server';
const REGION = 'us-east-1';
const KEY_ID = 'test:tester';
const SECRET = 'a-secret-of-the-tests';

const isInstalled = () =>
  [...SERVERS, 'proxy'].every((name) => existsSync(`/usr/bin/swift-${name}-server`)) &&
  existsSync('/usr/bin/memcached') &&
  existsSync('/etc/swift/swift.conf');

/** Whether OpenStack Swift, a real S3 server, is installed; installs it first if allowed. */
export function findSwift(): boolean {
  if (isInstalled() || (installPackages(PACKAGES) && isInstalled())) return true;
  noteSkipped('files in S3', `apt-get install ${PACKAGES.join(' ')}`);
  return false;
}

/** Checks that the folder supports extended attributes, which the server needs, and writes a ring with one device per kind. */
const PREPARE = `
import os, sys
from swift.common.ring import RingBuilder
os.setxattr(sys.argv[1], 'user.madhouse', b'1')
for ring in sys.argv[2:]:
    name, port = ring.split('=')
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'disk', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(os.path.join(sys.argv[1], name + '.ring.gz'))
`;

const TRIES = 3;
/** Ten times the start time on an idle machine. */
const READY_MS = 100_000;

/** Starts a temporary Swift on loopback; retries with other ports when one of its five servers cannot bind. */
export async function startSwift(): Promise<TestSwift> {
  for (let attempt = 1; ; attempt++) {
    const swift = await startServers();
    try {
      await untilReady(swift);
      return swift;
    } catch (error) {
      await swift.stop();
      if (attempt === TRIES) throw error;
    }
  }
}

async function startServers(): Promise<TestSwift> {
  const ports = { object: await freePort(), container: await freePort(), account: await freePort() };
  const [memcached, proxy] = [await freePort(), await freePort()];
  const rings = SERVERS.map((name) => `${name}=${ports[name]}`);
  let folder = mkdtempSync(join(tmpdir(), 'madhouse-swift-'));
  if (!prepare(folder, rings)) folder = folderOnDisk();
  if (!existsSync(join(folder, 'object.ring.gz')) && !prepare(folder, rings))
    throw new Error(`Swift needs a file system with extended attributes; ${folder} has none.`);
  const user = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
  const baseConfig = (port: number) =>
    `[DEFAULT]\nbind_ip=127.0.0.1\nbind_port=${port}\nworkers=0\nuser=${user}\nswift_dir=${folder}\ndevices=${folder}\nmount_check=false\nfallocate_reserve=0\ndisable_fallocate=true\nlog_level=CRITICAL\n`;
  for (const name of SERVERS) {
    const app = `[pipeline:main]\npipeline=${name}-server\n[app:${name}-server]\nuse=egg:swift#${name}\n`;
    writeFileSync(join(folder, `${name}.conf`), baseConfig(ports[name]) + app);
  }
  const filters = {
    catch_errors: 'use=egg:swift#catch_errors',
    cache: `use=egg:swift#memcache\nmemcache_servers=127.0.0.1:${memcached}`,
    s3api: `use=egg:swift#s3api\nlocation=${REGION}`,
    tempauth: `use=egg:swift#tempauth\nuser_test_tester=${SECRET} .admin`,
    copy: 'use=egg:swift#copy',
    slo: 'use=egg:swift#slo',
    dlo: 'use=egg:swift#dlo',
  };
  const proxyConfig = [
    baseConfig(proxy),
    `[pipeline:main]\npipeline=${Object.keys(filters).join(' ')} proxy-server`,
    ...Object.entries(filters).map(([name, lines]) => `[filter:${name}]\n${lines}`),
    // By default half a second without a connection is a failure, and ten failures close a server for a minute.
    '[app:proxy-server]\nuse=egg:swift#proxy\naccount_autocreate=true\nconn_timeout=60\nnode_timeout=60\nerror_suppression_limit=1000',
  ];
  writeFileSync(join(folder, 'proxy.conf'), proxyConfig.join('\n'));
  const cacheArgs = ['-u', user, '-l', '127.0.0.1', '-p', String(memcached), '-m', '16'];
  const cache = start(folder, '/usr/bin/memcached', cacheArgs);
  const startService = (name: string) => start(folder, `/usr/bin/swift-${name}-server`, [join(folder, `${name}.conf`)]);
  const processes = [cache, ...[...SERVERS, 'proxy'].map(startService)];
  const stop = async () => {
    await Promise.all(processes.map((end) => end()));
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...swiftAt(`http://127.0.0.1:${proxy}`), stop };
}

/** Connects to a Swift that another process started and will stop. */
export function swiftAt(url: string): TestSwift {
  const key = { accessKeyId: KEY_ID, secretAccessKey: SECRET };
  const signed = new AwsClient({ ...key, region: REGION, service: 's3', retries: 0 });
  const request = (path: string, init?: RequestInit) => signed.fetch(`${url}/${path}`, init);
  const bucket = async () => {
    const name = `tests-${randomUUID()}`;
    const response = await request(name, { method: 'PUT' });
    if (!response.ok) throw new Error(`Swift did not create a bucket: ${response.status} ${await response.text()}`);
    return name;
  };
  const access = { S3_URL: url, S3_REGION: REGION, S3_ACCESS_KEY_ID: KEY_ID, S3_SECRET_ACCESS_KEY: SECRET };
  const settings = async () => ({ ...access, S3_BUCKET: await bucket() });
  return { url, fetch: request, settings, stop: async () => {} };
}

/** @returns false when the file system has no extended attributes */
function prepare(folder: string, rings: readonly string[]): boolean {
  mkdirSync(join(folder, 'disk'));
  return spawnSync('/usr/bin/python3', ['-c', PREPARE, folder, ...rings], { stdio: 'ignore' }).status === 0;
}

function start(cwd: string, program: string, args: readonly string[]): () => Promise<void> {
  const command = ['-c', RUN_UNTIL_PIPE_CLOSES, program, ...args];
  const server = spawn('sh', command, { cwd, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit');
  return async () => {
    (server.stdio[3] as Writable).destroy();
    await ended;
  };
}

/** The object server may start after those that create a bucket. */
async function untilReady({ settings, fetch }: TestSwift): Promise<void> {
  for (const deadline = Date.now() + READY_MS; ; await sleep(100)) {
    try {
      const { ok, status } = await fetch(`${(await settings()).S3_BUCKET}/ready`, { method: 'PUT', body: 'ready' });
      if (ok) return;
      throw new Error(`Swift did not store an object: ${status}`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
