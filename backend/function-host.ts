import { captchaState } from './auth/captcha.ts';
import type { BackendContext } from './context.ts';
import type { FunctionHost } from './functions/load.ts';
import type { Mail } from './mail/index.ts';

/** What the functions may ask about the process they run in, besides its services. */
export const functionHost = (
  { project }: BackendContext,
  mail: Mail,
  storage: { problems(): Promise<unknown[]> },
): FunctionHost => ({
  mail: () => mail.check(),
  captcha: () => captchaState(project.auth.captcha),
  storageHasRoom: async () => (await storage.problems()).length === 0,
});
