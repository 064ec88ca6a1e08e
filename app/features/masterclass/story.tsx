import type { CSSProperties } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { Icon, type IconName } from '#ui/icon.tsx';
import { steps } from './drawings.tsx';
import { Section } from './section.tsx';
import { masterclassWords as words } from './words/page.ts';
import './story.css';

export const Problem = () => {
  const { title, text, bars, note } = words.problem;
  return (
    <Section name="problem" title={title}>
      <div className="stack course-text">
        {text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      <div className="stack course-bars">
        <p className="course-bar bar-hand">{bars.piece}</p>
        <p className="course-bar bar-thin">{bars.picture}</p>
        <p className="slip">{bars.scale}</p>
      </div>
      <p className="note">{note}</p>
    </Section>
  );
};

export const Programme = () => (
  <Section name="programme" title={words.programme.title}>
    <p className="stack course-text">{words.programme.text}</p>
    <ol className="course-modules">
      {words.programme.list.map(({ name, text }, at) => (
        <li key={name}>
          {steps[at]}
          <h3>{name}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  </Section>
);

export const Outcomes = () => {
  const { saving } = useFacts().masterclass;
  const { title, saving: what, bars, list } = words.outcomes;
  return (
    <Section name="outcomes" title={title}>
      <p className="course-saving">
        <strong>Up to {saving}%</strong> {what}
      </p>
      <div className="stack course-bars" aria-hidden="true">
        <p className="course-bar bar-hand">{bars.before}</p>
        <p className="course-bar bar-machine" style={{ '--left': `${100 - saving}%` } as CSSProperties}>
          {bars.after}
        </p>
      </div>
      <ul className="course-three">
        {list.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Section>
  );
};

export const Audience = () => {
  const { title, yesTitle, yes, noTitle, no } = words.audience;
  return (
    <Section name="audience" title={title}>
      <Reasons title={yesTitle} icon="check" list={yes} />
      <Reasons title={noTitle} icon="close" list={no} />
    </Section>
  );
};

const Reasons = ({ title, icon, list }: { title: string; icon: IconName; list: readonly string[] }) => (
  <div className={`course-reasons reasons-${icon}`}>
    <h3>{title}</h3>
    <ul>
      {list.map((reason) => (
        <li key={reason}>
          <Icon name={icon} />
          {reason}
        </li>
      ))}
    </ul>
  </div>
);
