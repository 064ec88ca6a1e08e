import { chatLink } from '../../../copy/agency.ts';
import { masterclassWords as words } from '../../../copy/masterclass.ts';
import { datesOf, hoursOf, weekdaysOf, yearOf } from '../../../models/masterclass.ts';
import { useFacts } from '../../../session/use-facts.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** The same slip at the top, in the middle and at the end. */
export function Facts({ ahead }: { ahead: boolean }) {
  const course = useFacts().masterclass;
  return (
    <dl className="facts-slip slip">
      <Fact
        name={ahead ? 'When' : 'Was on'}
        value={`${datesOf(course)} (${weekdaysOf(course)})${ahead ? '' : `, ${yearOf(course)}`}`}
      />
      <Fact name="Hours" value={`${hoursOf(course)} daily`} />
      <Fact name="Where" value={course.city} />
      <Fact name="Seats" value={`${course.seats} seats`} />
      <Fact name="How often" value={`${course.perQuarter} masterclasses per quarter`} />
    </dl>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** The one thing to do on this page: write to us. */
export const ChatButton = ({ ahead }: { ahead: boolean }) => (
  <LinkButton
    href={chatLink(useFacts().agency, ahead ? words.askMessage : words.askNextMessage)}
    target="_blank"
    rel="noopener noreferrer"
  >
    {ahead ? words.ask : words.askNext}
    <Icon name="arrow-out" />
  </LinkButton>
);
