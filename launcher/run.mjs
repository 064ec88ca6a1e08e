import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './terminal.mjs';

const SERVERS = join('node_modules', '.cache', 'servers');
const LOOK_MS = 500;

export function run(node, args, { env, isServer }) {
  const child = spawn(node, args, {
    stdio: 'inherit',
    // The compile cache halves the time to load the modules.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env, ...env },
  });
  let signalled = false;
  const forward = (signal) => {
    // The server continues after a reload.
    signalled ||= signal !== 'SIGHUP';
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => forward(signal));
  whenParentIsGone(() => signalled || forward('SIGTERM'));
  const pidFile = isServer ? join(SERVERS, String(child.pid)) : null;
  if (pidFile)
    try {
      mkdirSync(SERVERS, { recursive: true });
      writeFileSync(pidFile, '');
    } catch {
      // Without write access, the folder is a release that is replaced as a whole.
    }
  child.on('exit', (code, signal) => {
    if (pidFile) rmSync(pidFile, { force: true });
    process.exit(signal ? 1 : (code ?? 1));
  });
}

/**
 * npm signals only its shell, which does not forward signals, so a script of npm ends with its parent. Any other parent
 * may exit first, as a terminal does.
 */
function whenParentIsGone(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const nameOf = (pid) => partsOf(pid)?.[0];
  const grandparent = /^(sh|dash|bash|ash|zsh|ksh|busybox)$/.test(nameOf(parent) ?? '') ? partsOf(parent)[1] : null;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent) && (!grandparent || partsOf(parent)?.[1] === grandparent)) return;
    clearInterval(timer);
    stop();
  }, LOOK_MS);
  timer.unref();
}

function partsOf(pid) {
  try {
    return /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.slice(1) ?? null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return error.code === 'EPERM';
  }
}

/** Modules that a running server loads later would be missing or of another version. */
export function refuseUnderServer() {
  const running = (existsSync(SERVERS) ? readdirSync(SERVERS) : []).filter((pid) => isServer(Number(pid)));
  if (running.length)
    fail(
      `A server runs from this folder (process ${running.join(', ')}), and its packages or its built site are about to be replaced. Stop it first, or do this in another checkout.`,
    );
}

/** The id may have been reused, which /proc reveals. */
function isServer(pid) {
  const commandFile = `/proc/${pid}/cmdline`;
  return isAlive(pid) && (!existsSync(commandFile) || readFileSync(commandFile, 'utf8').includes('server.ts'));
}
