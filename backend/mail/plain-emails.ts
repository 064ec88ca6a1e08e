import type { TemplateName } from './template.ts';

interface Letter {
  subject: string;
  html: string;
  text: string;
}

const withLink = (subject: string, sentence: string, action: string): Letter => ({
  subject,
  html: `<p>${sentence}</p><p><a href="{{ .ConfirmationURL }}">${action}</a></p><p>Or type this code: <strong>{{ .Token }}</strong></p><p>If you didn’t request this, ignore this email.</p>`,
  text: `${sentence}\n\n${action}:\n{{ .ConfirmationURL }}\n\nOr type this code: {{ .Token }}\n\nIf you didn’t request this, ignore this email.\n`,
});

export const plainLetters: Record<TemplateName, Letter> = {
  confirmation: withLink('Confirm your e-mail address', 'Confirm that this address is yours.', 'Confirm my address'),
  recovery: withLink(
    'Choose a new password',
    'Someone requested a new password for your account.',
    'Choose a new password',
  ),
  magic_link: withLink('Your sign-in link', 'Here is the link to sign in.', 'Sign in'),
  invite: withLink('You have been invited', 'You have been invited to make an account.', 'Accept the invitation'),
  email_change: withLink('Confirm your new address', 'Confirm the change of your address.', 'Confirm the change'),
  reauthentication: {
    subject: 'Your confirmation code',
    html: '<p>Type this code to confirm that it is you: <strong>{{ .Token }}</strong></p>',
    text: 'Type this code to confirm that it is you: {{ .Token }}\n',
  },
};
