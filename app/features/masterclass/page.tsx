import type { ReactNode } from 'react';
import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import type { PictureHost } from '#features/media/model/picture.ts';
import { rupees } from '#lib/data/money.ts';
import { chatLink } from '#lib/words/agency.ts';
import { FittedLine } from '#ui/fitted-line.tsx';
import { OutsideButton } from '#ui/form/button.tsx';
import { Lines } from '#ui/layout/lines.tsx';
import { CutGem, Facets, Stools } from './drawings.tsx';
import { SEATS_PER_TABLE } from './model/course-words.ts';
import { datesOf, hasSeatsLeft, weekdaysOf, yearOf } from './model/masterclass.ts';
import { Audience, Instructor, Outcomes, Problem, Programme, Resources, Roadmap, Section } from './story.tsx';
import { useCourseWords } from './use-course-words.ts';
import { masterclassPage } from './words/content.ts';

export const MasterclassPage = ({ ahead, host }: { ahead: boolean; host: PictureHost }) => (
  <div className="masterclass">
    <Hero ahead={ahead} />
    <Problem />
    <Programme />
    <Outcomes />
    <Facets />
    <Exclusivity ahead={ahead} />
    <Audience />
    <Roadmap />
    <Instructor host={host} />
    <Resources />
    <Pricing ahead={ahead} />
    <div className="masterclass-chat phone-bar anywhere">
      <ChatButton ahead={ahead} />
    </div>
    <Closing ahead={ahead} />
  </div>
);

const DRAWN = masterclassPage.words.hero;

const Hero = ({ ahead }: { ahead: boolean }) => {
  const { name, hero } = useCourseWords();
  return (
    <section className="course-hero layer clip">
      <CutGem />
      <div className="stack course-hero-words gap-5 start sheet">
        <p className="slip">{name}</p>
        <h1 className="poster">
          <FittedLine className="wide" text={hero.wide} drawn={DRAWN.wide} />{' '}
          <FittedLine className="narrow" text={hero.narrow} drawn={DRAWN.narrow} />
        </h1>
        <p className="course-lead lead">{hero.lead}</p>
        {ahead || (
          <div className="course-over edge panel">
            <p>
              <strong>{hero.overTitle}</strong> {hero.overDates} {hero.over}
            </p>
          </div>
        )}
        <Actions ahead={ahead} />
      </div>
      <div className="sheet">
        <CourseFacts ahead={ahead} />
      </div>
    </section>
  );
};

const Exclusivity = ({ ahead }: { ahead: boolean }) => {
  const { seats } = useFacts().masterclass;
  const { title, titleMany, one, few, many, often } = useCourseWords().exclusivity;
  const isMany = seats > SEATS_PER_TABLE;
  return (
    <section className="course-exclusivity panel" aria-labelledby="exclusivity">
      <div className="stack gap-6 sheet">
        <h2 className="title" id="exclusivity">
          {isMany ? titleMany : title}
        </h2>
        <Stools count={seats} />
        <p className="measure-44 lead">
          {isMany ? many : seats === 1 ? one : few} {often}
        </p>
        <CourseFacts ahead={ahead} />
      </div>
    </section>
  );
};

const Closing = ({ ahead }: { ahead: boolean }) => {
  const { closing } = useCourseWords();
  const isOffered = hasSeatsLeft(useFacts()) && ahead;
  return (
    <section className="course-closing on-ink" aria-labelledby="closing">
      <div className="stack gap-5 start sheet">
        <h2 className="title anywhere" id="closing">
          {isOffered ? closing.title : closing.titleNext}
        </h2>
        <p className="size-1">{isOffered ? closing.text : closing.textNext}</p>
        <Actions ahead={ahead} />
        <CourseFacts ahead={ahead} />
      </div>
    </section>
  );
};

function CourseFacts({ ahead }: { ahead: boolean }) {
  const settings = useFacts();
  const { masterclass: course, teachers } = settings;
  const { facts } = useCourseWords();
  const dates = `${datesOf(course)} (${weekdaysOf(course)}), ${yearOf(course)}`;
  return (
    <dl className="facts-slip paper cluster stretch gap-0 clip anywhere slip">
      {!ahead && <Fact name={facts.next} value={facts.noDate} />}
      <Fact name={ahead ? facts.when : facts.last} value={dates} />
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

const ChatButton = ({ ahead }: { ahead: boolean }) => {
  const { ask, askNext, message, messageNext } = useCourseWords().buttons;
  const facts = useFacts();
  const isOffered = ahead && hasSeatsLeft(facts);
  return (
    <OutsideButton href={chatLink(facts.agency, isOffered ? message : messageNext)}>
      {isOffered ? ask : askNext}
    </OutsideButton>
  );
};

const Actions = ({ ahead }: { ahead: boolean }) => {
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

const Pricing = ({ ahead }: { ahead: boolean }) => {
  const { title, titleNext, standard, member, membersAre, less, terms, lastTime } = useCourseWords().pricing;
  const { standardFee, memberFee } = useFacts().masterclass;
  return (
    <Section alone name="pricing" title={ahead ? title : titleNext}>
      {ahead || <p className="stack course-text measure-52 lead across">{lastTime}</p>}
      <div className="course-prices grid gap-0 across">
        <Price name={standard} amount={standardFee} />
        <Price name={member} amount={memberFee} plate="on-machine">
          {memberFee < standardFee && <p>{less}</p>}
          <p>
            <a className="inherit" href={href('/join')}>
              {membersAre}
            </a>
          </p>
        </Price>
      </div>
      {ahead && (
        <ul className="course-terms stack gap-2 across">
          <Lines of={terms} />
        </ul>
      )}
    </Section>
  );
};

type PriceProps = { name: string; amount: number; plate?: string; children?: ReactNode };

const Price = ({ name, amount, plate = '', children }: PriceProps) => (
  <div className={`course-price pad-5 ${plate}`}>
    <h3 className="size-1">{name}</h3>
    <p className="course-amount condensed tight black amount">
      <span className="course-currency regular">₹</span>
      {rupees(amount)}
    </p>
    <p>{useCourseWords().pricing.perSeat}</p>
    {children}
  </div>
);
