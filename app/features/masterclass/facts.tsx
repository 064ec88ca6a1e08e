import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { chatLink } from '#lib/words/agency.ts';
import { OutsideButton } from '#ui/form/button.tsx';
import { datesOf, hasSeatsLeft, weekdaysOf, yearOf } from './model/masterclass.ts';
import { useCourseWords } from './use-course-words.ts';

export function CourseFacts({ ahead }: { ahead: boolean }) {
  const settings = useFacts();
  const { masterclass: course, teachers } = settings;
  const { facts } = useCourseWords();
  const dates = `${datesOf(course)} (${weekdaysOf(course)}), ${yearOf(course)}`;
  return (
    <dl className="facts-slip paper cluster stretch gap-0 clip anywhere slip">
      {ahead ? (
        <Fact name={facts.when} value={dates} />
      ) : (
        <>
          <Fact name={facts.next} value={facts.noDate} />
          <Fact name={facts.last} value={dates} />
        </>
      )}
      {ahead && <Fact name={facts.price} value={facts.perSeat} more={facts.refund} />}
      <Fact name={facts.where} value={course.city} />
      {teachers.length > 0 && <Fact name={facts.teachers} value={teachers.map(({ name }) => name).join(', ')} />}
      <Fact name={facts.hours} value={facts.daily} />
      <Fact name={facts.seats} value={ahead ? (hasSeatsLeft(settings) ? facts.left : facts.soldOut) : facts.count} />
      <Fact name={facts.often} value={facts.perQuarter} />
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

export const ChatButton = ({ ahead }: { ahead: boolean }) => {
  const { ask, askNext, message, messageNext } = useCourseWords().buttons;
  const facts = useFacts();
  const isOffered = ahead && hasSeatsLeft(facts);
  return (
    <OutsideButton href={chatLink(facts.agency, isOffered ? message : messageNext)}>
      {isOffered ? ask : askNext}
    </OutsideButton>
  );
};

export const Actions = ({ ahead }: { ahead: boolean }) => {
  const { calendar } = useCourseWords().buttons;
  return (
    <p className="cluster course-actions gap-x-5 anywhere">
      <ChatButton ahead={ahead} />
      {ahead && (
        <a className="tap semibold" href={href('/ai-jewelry-masterclass.ics')}>
          {calendar}
        </a>
      )}
    </p>
  );
};
