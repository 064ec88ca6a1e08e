import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { rupees } from '#lib/data/money.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { datesOf, yearOf } from './model/masterclass.ts';
import { masterclassWords as words } from './words/page.ts';
import './band.css';

export const MasterclassBand = () => {
  const { masterclass: course, masterclassSeatsTaken } = useFacts();
  return (
    <section className="edged course-band on-machine" aria-labelledby="masterclass">
      <div className="stack gap-2 bottom sheet">
        <h2 className="size-1 across" id="masterclass">
          {words.title}
        </h2>
        <p className="course-band-date size-3 condensed black across amount">
          {datesOf(course)}, {yearOf(course)}
        </p>
        <p className="course-band-facts cluster gap-0 gap-x-5">
          <span>{course.city}</span> <span>{words.facts.seatsLeft(course.seats, masterclassSeatsTaken)}</span>{' '}
          <span>{words.facts.perSeat(rupees(course.standardFee))}</span>
        </p>
        <LinkButton href={href('/ai-jewelry-masterclass')}>{words.more}</LinkButton>
      </div>
    </section>
  );
};
