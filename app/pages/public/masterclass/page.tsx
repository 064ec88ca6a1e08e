import type { ReactNode } from 'react';
import { masterclassWords as words } from '../../../copy/masterclass.ts';
import { clockTime, datesOf, rupees, yearOf } from '../../../models/masterclass.ts';
import { useFacts } from '../../../session/use-facts.ts';
import { Gem, Stools } from './drawings.tsx';
import { ChatButton, Facts } from './facts.tsx';

/** @param ahead false once the dates are past: then the page offers to tell of the next one instead of selling this one */
export const MasterclassPage = ({ ahead }: { ahead: boolean }) => (
  <div className="masterclass">
    <Hero ahead={ahead} />
    <Problem />
    <Programme />
    <Outcomes />
    <Exclusivity ahead={ahead} />
    <Audience />
    <Roadmap />
    <InstructorAndResources />
    <Pricing ahead={ahead} />
    <div className="masterclass-chat">
      <ChatButton ahead={ahead} />
    </div>
    <Closing ahead={ahead} />
  </div>
);

const Hero = ({ ahead }: { ahead: boolean }) => {
  const course = useFacts().masterclass;
  return (
    <section className="course-hero">
      <Gem />
      <div className="course-hero-words sheet">
        <p className="slip">{words.title}</p>
        <h1>
          <span className="wide">{words.headline[0]}</span> <span className="narrow">{words.headline[1]}</span>
        </h1>
        <p className="course-lead">{words.lead}</p>
        {ahead || (
          <div className="course-over">
            <p>
              <strong>{words.overTitle}</strong> The masterclass of {datesOf(course)}, {yearOf(course)} is over.{' '}
              {words.over}
            </p>
          </div>
        )}
        <ChatButton ahead={ahead} />
      </div>
      <div className="sheet">
        <Facts ahead={ahead} />
      </div>
    </section>
  );
};

const Section = ({ name, title, children }: { name: string; title: string; children: ReactNode }) => (
  <section className={`course-section course-${name} sheet`} aria-labelledby={name}>
    <h2 id={name}>{title}</h2>
    {children}
  </section>
);

const Problem = () => (
  <Section name="problem" title={words.problem.title}>
    <div className="course-text">
      {words.problem.text.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p className="note">{words.problem.note}</p>
    </div>
  </Section>
);

const Programme = () => (
  <Section name="programme" title={words.programme.title}>
    <p className="course-text">{words.programme.text}</p>
    <ol className="course-modules">
      {words.programme.list.map(({ name, text }) => (
        <li key={name}>
          <h3>{name}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  </Section>
);

const Outcomes = () => {
  const course = useFacts().masterclass;
  return (
    <Section name="outcomes" title={words.outcomes.title}>
      <p className="course-saving">
        <strong>Up to {course.saving}%</strong> {words.outcomes.saving}
      </p>
      <Lines of={words.outcomes.list} />
    </Section>
  );
};

const Exclusivity = ({ ahead }: { ahead: boolean }) => {
  const course = useFacts().masterclass;
  return (
    <section className="course-exclusivity" aria-labelledby="exclusivity">
      <div className="sheet">
        <h2 id="exclusivity">{words.exclusivity.title}</h2>
        <Stools count={course.seats} />
        <p>
          {words.exclusivity.seats} There are {course.perQuarter} masterclasses per quarter.
        </p>
        <Facts ahead={ahead} />
      </div>
    </section>
  );
};

const Audience = () => (
  <Section name="audience" title={words.audience.title}>
    <div className="course-text">
      <Lines of={words.audience.yes} />
      <p>{words.audience.no}</p>
    </div>
  </Section>
);

const Roadmap = () => (
  <Section name="roadmap" title={words.roadmap.title}>
    <ol className="course-days">
      {words.roadmap.days.map(({ name, hours }, at) => (
        <li key={name}>
          <h3>
            <span className="slip">Day {at + 1}</span> {name}
          </h3>
          <ol>
            {hours.map(({ at: time, what }) => (
              <li key={time}>
                <time dateTime={time}>{clockTime(time)}</time> {what}
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  </Section>
);

const InstructorAndResources = () => (
  <div className="course-pair sheet">
    <section aria-labelledby="instructor">
      <h2 id="instructor">{words.instructor.title}</h2>
      <p>{words.instructor.text}</p>
    </section>
    <section aria-labelledby="resources">
      <h2 id="resources">{words.resources.title}</h2>
      <Lines of={words.resources.list} />
    </section>
  </div>
);

const Pricing = ({ ahead }: { ahead: boolean }) => {
  const { title, standard, member, membersAre, lastTime } = words.pricing;
  const course = useFacts().masterclass;
  return (
    <Section name="pricing" title={title}>
      <div className="course-prices">
        <Price name={standard} amount={course.standardFee} />
        <Price name={member} amount={course.memberFee}>
          <a href="/join">{membersAre}</a>
        </Price>
      </div>
      {ahead || <p className="course-text">{lastTime}</p>}
    </Section>
  );
};

const Price = ({ name, amount, children }: { name: string; amount: number; children?: ReactNode }) => (
  <div className="course-price">
    <h3 className="course-price-name">{name}</h3>
    <p className="course-amount amount">
      <span className="course-currency">₹</span>
      {rupees(amount)}
    </p>
    <p>{words.pricing.perSeat}</p>
    {children && <p>{children}</p>}
  </div>
);

const Closing = ({ ahead }: { ahead: boolean }) => (
  <section className="course-closing" aria-labelledby="closing">
    <div className="sheet">
      <h2 id="closing">{ahead ? words.closing.title : words.closing.titleNext}</h2>
      <p>{words.closing.text}</p>
      <ChatButton ahead={ahead} />
      <Facts ahead={ahead} />
    </div>
  </section>
);

const Lines = ({ of: lines }: { of: readonly string[] }) => (
  <ul className="course-lines">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
