import { readArchiveState } from './archive/archive-checks.ts';
import type { ArchiveDownload, DownloadRefusal } from './archive/archive-downloads.ts';
import { captchaState } from './auth/captcha.ts';
import type { BackendContext } from './context.ts';
import type { FunctionHost } from './functions/load.ts';
import type { Mail } from './mail/index.ts';

export const functionHost = (
  { project, db }: BackendContext,
  mail: Mail,
  storage: { problems(): Promise<unknown[]> },
  downloads: { start(signal: AbortSignal): Promise<ArchiveDownload | DownloadRefusal> },
): FunctionHost => ({
  mail: () => mail.check(),
  captcha: () => captchaState(project.auth.captcha),
  storageHasRoom: async () => (await storage.problems()).length === 0,
  archives: async () => ({ ...(await readArchiveState(db)), mayHaveNone: db.engine === 'postgres' }),
  downloadArchive: (gone) => downloads.start(gone),
});
