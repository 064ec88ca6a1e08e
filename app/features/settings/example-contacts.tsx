import { useFacts } from '#context/use-facts.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { exampleContacts } from './model/settings.ts';
import { settings } from './model/table.ts';
import { settingsScreen as words } from './words.ts';

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
