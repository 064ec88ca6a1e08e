import { useFacts } from '../../context/use-facts.ts';
import { settingsScreen as words } from '../../copy/admin/settings.ts';
import { exampleContacts } from '../../models/settings/settings.ts';
import { settings } from '../../models/settings/table.ts';
import { Banner } from '../../ui/feedback/banner.tsx';

export const useExampleContacts = (): string =>
  exampleContacts(useFacts())
    .map((name) => settings[name].label)
    .join(', ');

export function ExampleContacts() {
  const names = useExampleContacts();
  return (
    names && (
      <Banner kind="warning" quiet>
        {words.examples(names)}
      </Banner>
    )
  );
}
