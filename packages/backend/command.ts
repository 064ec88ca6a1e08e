#!/usr/bin/env node
const COMMANDS: Record<string, () => Promise<unknown>> = {
  serve: () => import('./commands/serve-command.ts'),
  migrate: () => import('./commands/migrate-command.ts'),
  archive: () => import('./archive/archive-command.ts'),
  keys: () => import('./keys/keys-command.ts'),
};
const USAGE = `Usage: madhouse-backend serve | migrate | archive … | keys …
Settings are environment variables or lines of .env; SUPABASE_DIR (./supabase) is the project folder.`;

const [name = ''] = process.argv.splice(2, 1);
const run = COMMANDS[name];
if (run) await run();
else {
  console.error(USAGE);
  process.exit(1);
}

export {};
