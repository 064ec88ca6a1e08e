import type { TemplateName } from './template.ts';

interface Email {
  subject: string;
  html: string;
  text: string;
}

const linkEmail = (subject: string, sentence: string, action: string): Email => ({
  subject,
  html: `<p>${sentence}</p><p><a href="{{ .ConfirmationURL }}">${action}</a></p><p>Or type this code: <strong>{{ .Token }}</strong></p><p>If you didn’t request this, ignore this email.</p>`,
  text: `${sentence}\n\n${action}:\n{{ .ConfirmationURL }}\n\nOr type this code: {{ .Token }}\n\nIf you didn’t request this, ignore this email.\n`,
});

export const plainEmails: Record<TemplateName, Email> = {
  confirmation: linkEmail('Confirm your e-mail address', 'Confirm that this address is yours.', 'Confirm my address'),
  recovery: linkEmail(
    'Choose a new password',
    'Someone requested a new password for your account.',
    'Choose a new password',
  ),
  magic_link: linkEmail('Your sign-in link', 'Here is the link to sign in.', 'Sign in'),
  invite: linkEmail('You have been invited', 'You have been invited to make an account.', 'Accept the invitation'),
  email_change: linkEmail('Confirm your new address', 'Confirm the change of your address.', 'Confirm the change'),
  reauthentication: {
    subject: 'Your confirmation code',
    html: '<p>Type this code to confirm that it is you: <strong>{{ .Token }}</strong></p>',
    text: 'Type this code to confirm that it is you: {{ .Token }}\n',
  },
};
