import type { Project } from '../../../models/project/read.ts';
import { RichText } from '../../../ui/rich-text.tsx';
import { storyFit } from './story-html.ts';

const PARTS = [
  { id: 'the-brief', title: 'The Brief', text: 'brief' },
  { id: 'our-understanding', title: 'Our Understanding', text: 'understanding' },
  { id: 'what-we-did', title: 'What We Did', text: 'actions' },
  { id: 'the-impact', title: 'The Impact', text: 'impact' },
] as const;

const LONG = 700;

export const Story = ({ experiment }: { experiment: Project }) => (
  <div className="detail-story">
    {PARTS.map(({ id, title, text }, index) => (
      <section className="story-section" id={id} key={id}>
        <p className="story-number" aria-hidden="true">
          {index + 1}
        </p>
        <h2>{title}</h2>
        {experiment[text] ? (
          <RichText html={experiment[text]} fit={storyFit} />
        ) : (
          <p className="note">Nobody has written this part down yet.</p>
        )}
      </section>
    ))}
  </div>
);

export function SectionIndex({ experiment }: { experiment: Project }) {
  const length = PARTS.reduce((sum, { text }) => sum + (experiment[text] ?? '').replace(/<[^>]*>/g, '').length, 0);
  if (length < LONG) return null;
  const gallery = experiment.project_media.length > 1 && { id: 'project-gallery', title: 'Gallery' };
  return (
    <nav className="section-index" aria-label="Sections">
      <ol>
        {[...PARTS, ...(gallery ? [gallery] : [])].map(({ id, title }, index) => (
          <li key={id}>
            <a href={`#${id}`}>
              <span className="section-number">{index + 1}</span> <span className="section-title">{title}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
