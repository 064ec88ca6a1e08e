import type { ReactNode } from 'react';
import { useFacts } from '../../context/use-facts.ts';
import { settingsScreen as words } from '../../copy/admin/settings.ts';
import { exampleContacts } from '../../models/settings/settings.ts';
import { settings } from '../../models/settings/table.ts';
import { Banner } from '../../ui/feedback/banner.tsx';

export function ExampleContacts({ children }: { children?: ReactNode }) {
  const names = exampleContacts(useFacts()).map((name) => settings[name].label);
  if (names.length === 0) return null;
  return (
    <Banner kind="warning" quiet>
      <p>{words.examples(names.join(', '))}</p>
      {children}
    </Banner>
  );
}
