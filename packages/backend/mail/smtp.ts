import type { MailTransport } from './index.ts';

const TIMEOUT_MS = 15_000;

export function openSmtp(url: string): MailTransport {
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
  return {
    deliver: async ({ id }, message) => {
      await (await transport).sendMail({
        ...message,
        to: { name: '', address: message.to },
        messageId: `<${id}@${new URL(url).hostname || 'localhost'}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    reachable: () =>
      transport
        .then((smtp) => smtp.verify())
        .then(
          () => true,
          () => false,
        ),
    close: async () => (await transport).close(),
  };
}
