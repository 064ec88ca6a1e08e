import { stateOfArchives } from './archive/checks.ts';
import type { Download, NoDownload } from './archive/download.ts';
import { captchaState } from './auth/captcha.ts';
import type { BackendContext } from './context.ts';
import type { FunctionHost } from './functions/load.ts';
import type { Mail } from './mail/index.ts';

export const functionHost = (
  { project, db }: BackendContext,
  mail: Mail,
  storage: { problems(): Promise<unknown[]> },
  downloads: { begin(gone: AbortSignal): Promise<Download | NoDownload> },
): FunctionHost => ({
  mail: () => mail.check(),
  captcha: () => captchaState(project.auth.captcha),
  storageHasRoom: async () => (await storage.problems()).length === 0,
  archives: async () => ({ ...(await stateOfArchives(db)), mayHaveNone: db.engine === 'postgres' }),
  downloadArchive: (gone) => downloads.begin(gone),
});
