import { useContent } from '#context/use-content.ts';
import { useFacts } from '#context/use-facts.ts';
import type { PictureHost } from '#features/media/model/picture.ts';
import { Portrait } from '#features/media/portrait.tsx';
import { slugOf } from '#features/projects/model/labels.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { aboutPage } from '../words/about.ts';

const SIZES = '(min-width: 900px) 30vw, 45vw';

export function People({ host }: { host: PictureHost }) {
  const { people } = useFacts();
  const words = useContent(aboutPage).people;
  if (people.length === 0) return null;
  return (
    <TitledSection className="people pad-end-section sheet" titleId="people" heading="title" title={words.title}>
      <p className="about-text lead gap-above">{words.text}</p>
      <ul className="grid above-6">
        {people.map((person) => (
          <li key={person.name} id={slugOf({ title: person.name })}>
            <Portrait of={person} host={host} sizes={SIZES} />
            <h3 className="above-3">{person.name}</h3>
            <p>{person.craft}</p>
            {person.city && <p className="slip">{person.city}</p>}
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}
