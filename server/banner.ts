import type { Config } from '../packages/backend/config/config.ts';
import { flushLog } from '../packages/backend/http/log.ts';
import type { RunningServer } from './start-server.ts';

export type StartInfo = ReturnType<typeof startInfo>;

export const startInfo = ({ address, backend }: RunningServer) => ({
  address,
  name: backend?.siteName ?? null,
  demoAccounts: backend?.demoAccounts ?? null,
  generatedSetupKey: backend?.generatedSetupKey ?? null,
});

export function printBanner(config: Config, server: StartInfo): void {
  const lines = [`\n  ${server.name ?? 'The site'} is open at ${server.address}`];
  if (config.workers > 1) lines.push(`  Processes: ${config.workers}`);
  if (config.siteUrl !== server.address) lines.push(`  Public address: ${config.siteUrl}`);
  for (const note of config.notes) lines.push(`  ${note}`);
  if (config.backend.kind === 'hosted') {
    lines.push(`  Backend: hosted Supabase at ${config.backend.url.origin}`);
  } else {
    const { database } = config.backend;
    lines.push(`  Backend: own, ${database.kind === 'embedded' ? 'on embedded PostgreSQL' : 'on PostgreSQL'}`);
    lines.push(`  Data: ${config.dataDir} (the one folder to back up)`);
    const { mail } = config;
    const sent = mail.kind === 'smtp' ? 'sent by SMTP' : `written to ${mail.folder} (set SMTP_URL to send it)`;
    lines.push(`  Email: ${sent}`);
  }
  const { demoAccounts, generatedSetupKey } = server;
  if (demoAccounts) {
    lines.push('', '  Demo accounts (shown once):');
    for (const { role, email, password } of demoAccounts)
      lines.push(`    ${role.padEnd(8)} ${email.padEnd(28)} ${password}`);
    lines.push(`  Sign in at ${config.siteUrl}/admin`);
  }
  if (generatedSetupKey) {
    lines.push('', `  Setup key (shown once, valid for 24 hours): ${generatedSetupKey}`);
    lines.push(`  Create the first admin at ${config.siteUrl}/admin-setup`);
  }
  console.log(`${lines.join('\n')}\n`);
  flushLog();
}
