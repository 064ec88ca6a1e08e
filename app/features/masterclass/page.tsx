import { useFacts } from '#context/use-facts.ts';
import type { PictureHost } from '#features/media/model/picture.ts';
import { FittedLine } from '#ui/fitted-line.tsx';
import { CutGem, Facets } from './brilliant.tsx';
import { Stools } from './drawings.tsx';
import { Actions, ChatButton, CourseFacts } from './facts.tsx';
import { SEATS_PER_TABLE } from './model/course-words.ts';
import { hasSeatsLeft } from './model/masterclass.ts';
import { Pricing } from './pricing.tsx';
import { Audience, Outcomes, Problem, Programme } from './story.tsx';
import { Instructor, Resources, Roadmap } from './two-days.tsx';
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
