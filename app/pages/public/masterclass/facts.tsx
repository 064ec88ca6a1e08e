import { href } from 'react-router';
import { useFacts } from '../../../context/use-facts.ts';
import { chatLink } from '../../../copy/agency.ts';
import { masterclassWords as words } from '../../../copy/public/masterclass.ts';
import { datesOf, hoursOf, weekdaysOf, yearOf } from '../../../models/settings/masterclass.ts';
import { LinkButton } from '../../../ui/form/button.tsx';
import { Icon } from '../../../ui/icon.tsx';

export function CourseFacts({ ahead }: { ahead: boolean }) {
  const course = useFacts().masterclass;
  const { facts } = words;
  const dates = `${datesOf(course)} (${weekdaysOf(course)}), ${yearOf(course)}`;
  return (
    <dl className="facts-slip slip">
      {ahead ? (
        <Fact name={facts.when} value={dates} />
      ) : (
        <>
          <Fact name={facts.next} value={facts.noDate} />
          <Fact name={facts.last} value={dates} />
        </>
      )}
      <Fact name={facts.hours} value={facts.daily(hoursOf(course))} />
      <Fact name={facts.where} value={course.city} />
      <Fact name={facts.seats} value={facts.seatCount(course.seats)} />
      <Fact name={facts.often} value={facts.perQuarter(course.perQuarter)} />
    </dl>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

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

export const Actions = ({ ahead }: { ahead: boolean }) => (
  <p className="cluster course-actions">
    <ChatButton ahead={ahead} />
    {ahead && (
      <a className="course-calendar" href={href('/ai-jewelry-masterclass.ics')}>
        {words.calendar}
      </a>
    )}
  </p>
);
