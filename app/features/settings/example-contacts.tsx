import { useFacts } from '#context/use-facts.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { exampleContacts } from './model/settings.ts';
import { labelsOf } from './model/table.ts';

export const useExampleContacts = (): string => labelsOf(exampleContacts(useFacts()));

export function ExampleContacts() {
  const names = useExampleContacts();
  return (
    names && (
      <Banner kind="warning" quiet>
        The site shows example contact details that lead nowhere: {names}. Replace them so that visitors can reach you.
      </Banner>
    )
  );
}
