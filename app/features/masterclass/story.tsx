import type { CSSProperties } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { Icon, type IconName } from '#ui/icon.tsx';
import { steps } from './drawings.tsx';
import { Section } from './section.tsx';
import { useCourseWords } from './use-course-words.ts';

export const Problem = () => {
  const { title, text, note, ...bars } = useCourseWords().problem;
  return (
    <Section name="problem" title={title}>
      <div className="stack course-text measure-52 lead">
        {text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
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
        {list.map((line) => (
          <li className="pad-top-3 lead-close rule" key={line}>
            {line}
          </li>
        ))}
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
    <h3 className="size-2 rule-below">{title}</h3>
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
