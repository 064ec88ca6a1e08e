import { useQuery } from '@tanstack/react-query';
import { first, requireChange } from '#lib/data/rows.ts';
import { clients } from '#session/browser.ts';
import { currentUser } from '#session/current-user.ts';
import { defineForm, type FormValues } from '#ui/form/define-form.tsx';
import { AccountNote, AccountPart } from './part.tsx';

const fields = {
  submissions: { label: 'Each new submission', kind: 'check' },
  messages: { label: 'Each message from the contact form', kind: 'check' },
  comments: { label: 'Each comment and approval of a client', kind: 'check' },
  schedules: { label: 'Each scheduled publication, carried out or refused', kind: 'check' },
  digest: { label: 'A summary on Mondays, when something happened', kind: 'check' },
} as const;

const PreferencesForm = defineForm({ fields, failed: 'Your choice was not saved.' });

type MailPreferences = FormValues<typeof fields>;

async function readPreferences(): Promise<Partial<MailPreferences> | null> {
  const user = await currentUser();
  if (user?.role !== 'admin') return null;
  const all = clients().data().from('mail_preferences').select('submissions,messages,comments,schedules,digest');
  return (await first<MailPreferences>(all.eq('user_id', user.id))) ?? {};
}

const save = (wanted: MailPreferences) =>
  requireChange(clients().data().from('mail_preferences').upsert(wanted, { onConflict: 'user_id' }));

export function AccountMail() {
  const { data: start } = useQuery({ queryKey: ['mail-preferences'], queryFn: readPreferences, staleTime: 0 });
  if (!start) return null;
  return (
    <AccountPart title="Emails to you">
      <AccountNote>The agency’s mailbox gets messages from the contact form in any case.</AccountNote>
      <PreferencesForm
        start={start}
        save={save}
        onSaved="Your choice is saved."
        submitLabel="Save preferences"
        busyLabel="Saving..."
      />
    </AccountPart>
  );
}
