import type { Project } from '#features/projects/model/read.ts';
import { RichText } from '#ui/rich-text.tsx';
import { storyFit } from './story-html.ts';

const PARTS = [
  { id: 'the-brief', title: 'The Brief', text: 'brief' },
  { id: 'our-understanding', title: 'Our Understanding', text: 'understanding' },
  { id: 'what-we-did', title: 'What We Did', text: 'actions' },
  { id: 'the-impact', title: 'The Impact', text: 'impact' },
] as const;

const MAX_LEAD_LENGTH = 600;
const MIN_INDEXED_LENGTH = 700;

const textOf = (html: string | null) => (html ?? '').replace(/<[^>]*>/g, '');

/** Whether the brief begins with a paragraph that can be set large. */
const hasLead = (brief: string) => {
  const [, first] = /^\s*<p\b[^>]*>(.*?)<\/p>/s.exec(brief) ?? [];
  return first !== undefined && textOf(first).length <= MAX_LEAD_LENGTH;
};

export const Story = ({ experiment }: { experiment: Project }) => (
  <div className={hasLead(experiment.brief) ? 'detail-story story-lead' : 'detail-story'}>
    {PARTS.map(({ id, title, text }, index) => (
      <section className="story-section stack rule" id={id} key={id}>
        <p className="story-number mono accent" aria-hidden="true">
          {index + 1}
        </p>
        <h2>{title}</h2>
        {experiment[text] ? (
          <RichText html={experiment[text]} fit={storyFit} />
        ) : (
          <p className="note">This part is not written yet.</p>
        )}
      </section>
    ))}
  </div>
);

export function SectionIndex({ experiment }: { experiment: Project }) {
  const length = PARTS.reduce((sum, { text }) => sum + textOf(experiment[text]).length, 0);
  if (length < MIN_INDEXED_LENGTH) return null;
  const gallery = experiment.project_media.length > 1 && { id: 'project-gallery', title: 'Gallery' };
  return (
    <nav className="section-index paper" aria-label="Sections">
      <ol className="inline gap-0">
        {[...PARTS, ...(gallery ? [gallery] : [])].map(({ id, title }, index) => (
          <li className="grow" key={id}>
            <a className="ring-inside touch inline gap-2 relative semibold one-line plain marked" href={`#${id}`}>
              <span className="regular code">{index + 1}</span> <span>{title}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
