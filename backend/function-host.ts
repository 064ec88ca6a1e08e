import { captchaState } from './auth/captcha.ts';
import type { Parts } from './context.ts';
import type { House } from './functions/load.ts';
import type { Mail } from './mail/index.ts';

/** What the functions may ask about the process they run in, besides its services. */
export const houseOf = ({ project }: Parts, mail: Mail, storage: { problems(): Promise<string[]> }): House => ({
  mail: () => mail.check(),
  captcha: () => captchaState(project.auth.captcha),
  storageHasRoom: async () => (await storage.problems()).length === 0,
});
