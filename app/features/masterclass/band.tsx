import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { datesOf, hasSeatsLeft, yearOf } from './model/masterclass.ts';
import { useCourseWords } from './use-course-words.ts';
import './band.css';

export const MasterclassBand = () => {
  const facts = useFacts();
  const { masterclass: course } = facts;
  const { name, buttons, facts: words } = useCourseWords();
  return (
    <section className="edged course-band on-machine" aria-labelledby="masterclass">
      <div className="stack gap-2 bottom anywhere sheet">
        <h2 className="size-1 across" id="masterclass">
          {name}
        </h2>
        <p className="course-band-date size-3 condensed black across amount">
          {datesOf(course)}, {yearOf(course)}
        </p>
        <p className="course-band-facts cluster gap-0 gap-x-5">
          <span>{course.city}</span> <span>{hasSeatsLeft(facts) ? words.left : words.soldOut}</span>{' '}
          <span>{words.perSeat}</span>
        </p>
        <LinkButton href={href('/ai-jewelry-masterclass')}>{buttons.more}</LinkButton>
      </div>
    </section>
  );
};
