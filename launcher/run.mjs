import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './terminal.mjs';

/** A file for each server that runs from here, named by its process. */
const SERVERS = join('node_modules', '.cache', 'servers');
const LOOK_MS = 500;

/** Runs a program until it ends, or until what started this process wants it to, and ends with its code. */
export function run(node, args, { env, isServer }) {
  const child = spawn(node, args, {
    stdio: 'inherit',
    // What was compiled once is not compiled again: half the time to load the modules.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env, ...env },
  });
  let signalled = false;
  const forward = (signal) => {
    signalled = true;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => forward(signal));
  whenParentIsGone(() => signalled || forward('SIGTERM'));
  const note = isServer ? join(SERVERS, String(child.pid)) : null;
  if (note)
    try {
      mkdirSync(SERVERS, { recursive: true });
      writeFileSync(note, '');
    } catch {
      // A user without the right to write here serves from a folder that others replace as a whole.
    }
  child.on('exit', (code, signal) => {
    if (note) rmSync(note, { force: true });
    process.exit(signal ? 1 : (code ?? 1));
  });
}

/**
 * npm runs a script in a shell and sends signals to that shell alone, which passes on none. So a script of npm ends with the
 * shell or npm. Anything else that starts this process may go, as a terminal does.
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

/** Name and parent of a process, where the system shows them. */
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
    // A process of another user lives, too.
    return error.code === 'EPERM';
  }
}

/** What a running server loads late would be gone, or another version's. */
export function refuseUnderServer() {
  const running = (existsSync(SERVERS) ? readdirSync(SERVERS) : []).filter((pid) => isServer(Number(pid)));
  if (running.length)
    fail(
      `A server runs from this folder (process ${running.join(', ')}), and its packages or its built site are about to be replaced. Stop it first, or do this in another checkout.`,
    );
}

/** A number may be another program's by now, which shows where there is /proc. */
function isServer(pid) {
  const words = `/proc/${pid}/cmdline`;
  return isAlive(pid) && (!existsSync(words) || readFileSync(words, 'utf8').includes('server.ts'));
}
