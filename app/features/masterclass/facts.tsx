import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { rupees } from '#lib/data/money.ts';
import { chatLink } from '#lib/words/agency.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { datesOf, hoursOf, weekdaysOf, yearOf } from './model/masterclass.ts';
import { masterclassWords as words } from './words/page.ts';

export function CourseFacts({ ahead }: { ahead: boolean }) {
  const { masterclass: course, masterclassSeatsTaken, teachers } = useFacts();
  const { facts } = words;
  const dates = `${datesOf(course)} (${weekdaysOf(course)}), ${yearOf(course)}`;
  return (
    <dl className="facts-slip paper cluster stretch gap-0 clip slip">
      {ahead ? (
        <Fact name={facts.when} value={dates} />
      ) : (
        <>
          <Fact name={facts.next} value={facts.noDate} />
          <Fact name={facts.last} value={dates} />
        </>
      )}
      {ahead && <Fact name={facts.price} value={facts.perSeat(rupees(course.standardFee))} more={facts.terms} />}
      <Fact name={facts.where} value={course.city} />
      {teachers.length > 0 && <Fact name={facts.teachers} value={teachers.map(({ name }) => name).join(', ')} />}
      <Fact name={facts.hours} value={facts.daily(hoursOf(course))} />
      <Fact
        name={facts.seats}
        value={ahead ? facts.seatsLeft(course.seats, masterclassSeatsTaken) : facts.seatCount(course.seats)}
      />
      <Fact name={facts.often} value={facts.perQuarter(course.perQuarter)} />
    </dl>
  );
}

const Fact = ({ name, value, more }: { name: string; value: string; more?: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
    {more && <dd className="facts-more">{more}</dd>}
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
  <p className="cluster course-actions gap-x-5">
    <ChatButton ahead={ahead} />
    {ahead && (
      <a className="tap semibold" href={href('/ai-jewelry-masterclass.ics')}>
        {words.calendar}
      </a>
    )}
  </p>
);
