import { useFacts } from '#context/use-facts.ts';
import type { PictureHost } from '#features/media/model/picture.ts';
import { Portrait } from '#features/media/portrait.tsx';
import { LightDrawing, RotationDrawing } from './drawings.tsx';
import { clockTime, roadmapOf } from './model/masterclass.ts';
import { Section } from './section.tsx';
import { useCourseWords } from './use-course-words.ts';

const DRAWINGS = [<LightDrawing key="light" />, <RotationDrawing key="turning" />];

export const Roadmap = () => {
  const course = useFacts().masterclass;
  const { roadmap, first, second } = useCourseWords();
  return (
    <Section alone name="roadmap" title={roadmap.title}>
      <ol className="course-days split gutter across">
        {roadmapOf(course, [first, second]).map(({ name, hours }, at) => (
          <li key={name}>
            {DRAWINGS[at]}
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
                  {teacher.record.split('\n').map((line) => (
                    <li className="hairline" key={line}>
                      {line}
                    </li>
                  ))}
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
        {list.map((line) => (
          <li className="pad-y-4 stack baseline gap-0 lead-close anywhere rule" key={line}>
            {line}
          </li>
        ))}
      </ol>
    </Section>
  );
};
