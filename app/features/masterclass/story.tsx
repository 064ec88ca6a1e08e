import type { CSSProperties, ReactNode } from 'react';
import { useFacts } from '#context/use-facts.ts';
import type { PictureHost } from '#features/media/model/picture.ts';
import { Portrait } from '#features/media/portrait.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Lines } from '#ui/layout/lines.tsx';
import { LightDrawing, RotationDrawing, steps } from './drawings.tsx';
import { clockTime, roadmapOf } from './model/masterclass.ts';
import { useCourseWords } from './use-course-words.ts';

type SectionProps = { name: string; title: string; alone?: boolean; children: ReactNode };

export const Section = ({ name, title, alone, children }: SectionProps) => (
  <section className={`course-section twelve course-${name} sheet`} aria-labelledby={name}>
    <h2 className={alone ? 'title across' : 'title'} id={name}>
      {title}
    </h2>
    {children}
  </section>
);

export const Problem = () => {
  const { title, text, note, ...bars } = useCourseWords().problem;
  return (
    <Section name="problem" title={title}>
      <div className="stack course-text measure-52 lead">
        <Lines of={text} as="p" />
      </div>
      <div className="stack course-bars anywhere across">
        <p className="edged course-bar inline gap-0 bottom layer on-hand">{bars.piece}</p>
        <p className="edged course-bar inline gap-0 bottom layer bar-thin">{bars.picture}</p>
        <p className="slip">{bars.scale}</p>
      </div>
      <p className="note tilted size-2 accent">{note}</p>
    </Section>
  );
};

export const Programme = () => {
  const { title, text: lead, list } = useCourseWords().programme;
  return (
    <Section name="programme" title={title}>
      <p className="stack course-text measure-52 lead">{lead}</p>
      <ol className="course-modules stack gutter across">
        {list.map(({ name, text }, at) => (
          <li key={name}>
            {steps[at]}
            <h3 className="inline baseline below-2 size-2 black anywhere">{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
};

export const Outcomes = () => {
  const { saving } = useFacts().masterclass;
  const style = { '--left': `${100 - saving}%` } as CSSProperties;
  const { title, upTo, saving: what, list, ...bars } = useCourseWords().outcomes;
  return (
    <Section name="outcomes" title={title}>
      <p className="course-saving size-1">
        <strong className="block below-2 tight">{upTo}</strong> {what}
      </p>
      <div className="stack course-bars anywhere across" aria-hidden="true">
        <p className="edged course-bar inline gap-0 bottom layer on-hand">{bars.before}</p>
        <p className="edged course-bar inline gap-0 bottom layer bar-machine" style={style}>
          {bars.after}
        </p>
      </div>
      <ul className="course-three split across">
        <Lines of={list} className="pad-top-3 lead-close rule" />
      </ul>
    </Section>
  );
};

export const Audience = () => {
  const { title, yesTitle, yes, noTitle, no } = useCourseWords().audience;
  return (
    <Section alone name="audience" title={title}>
      <Reasons title={yesTitle} icon="check" list={yes} />
      <Reasons title={noTitle} icon="close" list={no} />
    </Section>
  );
};

const Reasons = ({ title, icon, list }: { title: string; icon: IconName; list: readonly string[] }) => (
  <div className={`course-reasons reasons-${icon}`}>
    <h3 className="size-2 black extended rule-below">{title}</h3>
    <ul>
      {list.map((reason) => (
        <li className="pad-y-3 inline top gap-4 lead-close anywhere hairline-below" key={reason}>
          <Icon name={icon} />
          {reason}
        </li>
      ))}
    </ul>
  </div>
);

export const Roadmap = () => {
  const { roadmap, first, second } = useCourseWords();
  return (
    <Section alone name="roadmap" title={roadmap.title}>
      <ol className="course-days split gutter across">
        {roadmapOf(useFacts().masterclass, [first, second]).map(({ name, hours }, at) => (
          <li key={name}>
            {at === 1 ? <RotationDrawing /> : <LightDrawing />}
            <h3 className={`edged size-2 black ${at === 1 ? 'on-machine' : 'on-hand'}`}>
              <span className="slip block">
                {roadmap.day} {at + 1}
              </span>{' '}
              {name}
            </h3>
            <ol>
              {hours.map(({ at: time, what }) => (
                <li className="pad-4 cluster top hairline-below" key={what}>
                  {time && (
                    <time className="amount rigid" dateTime={time}>
                      {clockTime(time)}
                    </time>
                  )}{' '}
                  <span className="basis-12">{what}</span>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </Section>
  );
};

export const Instructor = ({ host }: { host: PictureHost }) => {
  const { title, text, hand, machine, both } = useCourseWords().instructor;
  const { teachers } = useFacts();
  if (teachers.length > 0)
    return (
      <Section name="instructor" title={title}>
        <ul className="course-teachers grid gutter across">
          {teachers.map((teacher) => (
            <li className="grid top" key={teacher.name}>
              <Portrait of={teacher} host={host} sizes="(min-width: 900px) 22vw, 45vw" />
              <div>
                <h3 className="below-3 size-2 black">{teacher.name}</h3>
                <ul>
                  <Lines of={teacher.record.split('\n')} className="hairline" />
                </ul>
              </div>
            </li>
          ))}
        </ul>
      </Section>
    );
  return (
    <section className="teachers stack gap-0 anywhere above-section clip" aria-labelledby="instructor">
      <header className="stack size-1 sheet">
        <h2 className="title" id="instructor">
          {title}
        </h2>
        <p>{text}</p>
      </header>
      <div className="drawing teachers-plates lapped stack gap-0" aria-hidden="true">
        <span className="on-hand" />
        <span className="on-machine" />
      </div>
      <p className="teacher over-hand relative lead">
        <strong className="block below-3 display size-3 black wide">{hand.title}</strong> {hand.text}
      </p>
      <p className="teachers-both relative lead on-overprint bold">{both}</p>
      <p className="teacher over-machine relative lead teacher-machine">
        <strong className="block below-3 display size-3 narrow">{machine.title}</strong> {machine.text}
      </p>
    </section>
  );
};

export const Resources = () => {
  const { title, list } = useCourseWords().resources;
  return (
    <Section alone name="resources" title={title}>
      <ol className="course-keep split across">
        <Lines of={list} className="pad-y-4 stack baseline gap-0 lead-close anywhere rule" />
      </ol>
    </Section>
  );
};
