/** The one layout of all e-mails. `write.ts` generates the files that hosted projects need; our backend calls it. */

interface Mail {
  subject: string;
  title: string;
  /** Shown beside the subject in a list of e-mails. */
  preview: string;
  sentence: string;
  action?: string;
  code: string;
  foot: string;
}

const CONFIRM = '{{ .SiteURL }}/confirm';

const mails = (name: string): Record<string, Mail> => ({
  confirmation: {
    subject: `Confirm your address for ${name}`,
    title: 'Confirm your address',
    preview: 'Confirm that this address is yours.',
    sentence: `Someone (probably you) signed up at ${name} with this address. Tell us that it is yours. The link works for an hour, on any device.`,
    action: 'Confirm my address',
    code: `Or type this code at ${CONFIRM}`,
    foot: 'You did not sign up? Then do nothing: without the link or the code nothing happens.',
  },
  recovery: {
    subject: `A new password for your ${name} account`,
    title: 'Choose a new password',
    preview: 'A link, and a code, for a new password.',
    sentence: `Someone (probably you) requested a new password for the ${name} account with this address. The link works for an hour, once.`,
    action: 'Choose a new password',
    code: 'Or type this code where you requested it',
    foot: 'You did not request this? Then do nothing: your password stays as it is.',
  },
  magic_link: {
    subject: `{{ .Token }} is your code for ${name}`,
    title: 'Your sign-in code',
    preview: `{{ .Token }} signs you in at ${name}.`,
    sentence: `You requested to sign in at ${name} without a password. Use the code or the button: each works once.`,
    action: 'Sign me in',
    code: 'Type this code where you requested it',
    foot: 'You did not request this? Then do nothing, and don’t share the code: we never ask for it.',
  },
  invite: {
    subject: `You are invited to ${name}`,
    title: 'You are invited',
    preview: `An admin of ${name} created an account for you.`,
    sentence: `An admin of ${name} created an account for this address. Accept it and choose a password. The link works for an hour.`,
    action: 'Accept the invitation',
    code: `Or type this code at ${CONFIRM}`,
    foot: 'You do not know us? Then do nothing: the account stays closed.',
  },
  email_change: {
    subject: `Is this right? Your ${name} account changes its address`,
    title: 'Is this right?',
    preview: `Confirm the new email address of your ${name} account.`,
    sentence: `Someone requested to change the email address of a ${name} account from {{ .Email }} to {{ .NewEmail }}. It changes once both addresses are confirmed. The link works for an hour.`,
    action: 'Yes, change it',
    code: 'Or type this code where you requested the change',
    foot: 'You did not request this? Then do nothing, and choose a new password: someone may know yours.',
  },
  reauthentication: {
    subject: `{{ .Token }} is your code for ${name}`,
    title: 'Your code',
    preview: `{{ .Token }} shows ${name} that it is you.`,
    sentence: `You are about to change something that matters in your ${name} account.`,
    code: 'Type this code where you need it',
    foot: 'You did not request this? Then someone may know your password: choose a new one, and don’t share the code.',
  },
});

const INK = '#1b1220';
const QUIET = '#534b57';
const FACE = "Anybody,'Arial Black',Arial,sans-serif";

function blend(one: string, other: string, channel: (a: number, b: number) => number): string {
  const value = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  const parts = [1, 3, 5].map((at) => Math.trunc(channel(value(one, at), value(other, at))));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

interface Brand {
  name: string;
  hand: string;
  machine: string;
  paper: string;
}

function frame({ name, hand, machine, paper }: Brand, title: string, preview: string, body: string): string {
  const ground = blend(paper, INK, (a, b) => a + (b - a) * 0.06);
  const overprint = blend(hand, machine, (a, b) => (a * b) / 255);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light">
    <meta name="format-detection" content="telephone=no">
    <title>${title}</title>
  </head>
  <body style="margin:0;background:${ground};color:${INK};font-family:'Atkinson Hyperlegible Next','Segoe UI',Helvetica,Arial,sans-serif;font-size:17px;line-height:1.55">
    <div style="display:none;max-height:0;overflow:hidden">${preview}</div>
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
      <tr><td align="center" style="padding:32px 16px">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${paper}">
          <tr>
            <td height="12" width="40%" style="background:${hand}"></td>
            <td height="12" width="20%" style="background:${overprint}"></td>
            <td height="12" width="40%" style="background:${machine}"></td>
          </tr>
          <tr><td colspan="3" style="padding:24px 28px 28px">
            <p style="margin:0 0 24px;font-family:${FACE};font-size:18px;font-weight:900;letter-spacing:1px">${name.toUpperCase()}</p>
${body}
          </td></tr>
        </table>
      </td></tr>
    </table>
  </body>
</html>
`;
}

function htmlOf(brand: Brand, { title, preview, sentence, action, code, foot }: Mail): string {
  const link = (to: string, more = '') => `<a href="${to}" style="color:${brand.machine}${more}">${to}</a>`;
  const button = action
    ? `            <p style="margin:0 0 24px"><a href="{{ .ConfirmationURL }}" style="display:inline-block;background:${INK};color:${brand.paper};font-family:${FACE};font-size:17px;font-weight:700;line-height:20px;padding:14px 28px;text-decoration:none;border-radius:6px">${action}</a></p>\n`
    : '';
  const token = `            <p style="margin:0 0 24px">${code.replace(CONFIRM, link(CONFIRM))} (it works for ten minutes):<br>
              <strong style="display:inline-block;margin-top:8px;padding:6px 14px;background:${blend(brand.paper, INK, (a, b) => a + (b - a) * 0.06)};font-family:'Martian Mono',Menlo,Consolas,monospace;font-size:28px;font-weight:500;letter-spacing:6px">{{ .Token }}</strong></p>\n`;
  const address = action
    ? `            <p style="margin:0 0 24px;font-size:15px;color:${QUIET}">If the button does nothing, copy this address into your browser:<br>
              ${link('{{ .ConfirmationURL }}', ';word-break:break-all')}</p>\n`
    : '';
  return frame(
    brand,
    title,
    preview,
    `            <h1 style="margin:0 0 16px;font-family:${FACE};font-size:30px;font-weight:800;line-height:1.1">${title}</h1>
            <p style="margin:0 0 24px">${sentence}</p>
${code.startsWith('Or') ? button + token : token + button}${address}            <p style="margin:0;padding:16px 0 0;border-top:3px solid ${INK};font-size:15px;color:${QUIET}">${foot}<br>
              ${brand.name} · ${link('{{ .SiteURL }}')}</p>`,
  );
}

const textOf = (name: string, { title, sentence, action, code, foot }: Mail) => {
  const link = action ? [`${action}:\n{{ .ConfirmationURL }}`] : [];
  const token = [`${code} (it works for ten minutes): {{ .Token }}`];
  const ways = code.startsWith('Or') ? [...link, ...token] : [...token, ...link];
  return `${[title, sentence, ...ways, foot, `${name}\n{{ .SiteURL }}`].join('\n\n')}\n`;
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

/** @param settings values of `site_settings` by name, which the database has checked */
export function emailLayout(settings: Record<string, unknown>) {
  const name = String(settings['site_name'] ?? 'Madhouse').replace(/[{}]/g, '');
  const colours = { hand: '#ee3a12', machine: '#2a44f5', paper: '#edeff0', ...(settings['brand_colours'] as object) };
  const brand = { ...colours, name: escaped(name) };
  const [plain, markup] = [mails(name), mails(brand.name)];
  return {
    name,
    sender: String(settings['sender_name'] || name),
    templates: Object.fromEntries(
      Object.entries(plain).map(([kind, mail]) => [
        kind,
        { subject: mail.subject, html: htmlOf(brand, markup[kind]!), text: textOf(name, mail) },
      ]),
    ),
    frame: (title: string, body: string) => frame(brand, escaped(title), '', body),
  };
}
