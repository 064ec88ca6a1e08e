import { useFacts } from '#context/use-facts.ts';
import type { PictureHost } from '#features/media/model/picture.ts';
import { Portrait } from '#features/media/portrait.tsx';
import { Light, Turning } from './drawings.tsx';
import { clockTime, partOfDay, roadmapOf } from './model/masterclass.ts';
import { Section } from './section.tsx';
import { masterclassWords as words } from './words/page.ts';
import './two-days.css';

const DRAWINGS = [<Light key="light" />, <Turning key="turning" />];

export const Roadmap = () => {
  const course = useFacts().masterclass;
  return (
    <Section name="roadmap" title={words.roadmap.title(partOfDay(course))}>
      <ol className="course-days">
        {roadmapOf(course).map(({ name, hours }, at) => (
          <li key={name}>
            {DRAWINGS[at]}
            <h3>
              <span className="slip">Day {at + 1}</span> {name}
            </h3>
            <ol>
              {hours.map(({ at: time, what }) => (
                <li key={what}>
                  {time && <time dateTime={time}>{clockTime(time)}</time>} <span>{what}</span>
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
  const { title, text, hand, machine, both } = words.instructor;
  const { teachers } = useFacts();
  if (teachers.length > 0)
    return (
      <Section name="instructor" title={title}>
        <ul className="course-teachers">
          {teachers.map((teacher) => (
            <li key={teacher.name}>
              <Portrait of={teacher} host={host} sizes="(min-width: 900px) 22vw, 45vw" />
              <div>
                <h3>{teacher.name}</h3>
                <ul>
                  {teacher.record.split('\n').map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </div>
            </li>
          ))}
        </ul>
      </Section>
    );
  return (
    <section className="teachers" aria-labelledby="instructor">
      <header className="sheet">
        <h2 id="instructor">{title}</h2>
        <p>{text}</p>
      </header>
      <div className="drawing teachers-plates" aria-hidden="true">
        <span className="teachers-hand" />
        <span className="teachers-machine" />
      </div>
      <p className="teacher teacher-hand">
        <strong>{hand.title}</strong> {hand.text}
      </p>
      <p className="teachers-both">{both}</p>
      <p className="teacher teacher-machine">
        <strong>{machine.title}</strong> {machine.text}
      </p>
    </section>
  );
};

export const Resources = () => (
  <Section name="resources" title={words.resources.title}>
    <ol className="course-keep">
      {words.resources.list.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ol>
  </Section>
);
