import { CreditList } from '#features/credits/credit-list.tsx';
import { creditsIn } from '#features/credits/model/credits.ts';
import { dollarsAndCents } from '#lib/data/money.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import { RichText } from '#ui/rich-text.tsx';
import { fieldsOfKind, kindOf } from '../model/fields.ts';
import { nameOfField, type VersionContent } from '../model/versions/versions.ts';
import '#ui/admin/facts.css';
import '../projects.css';
import { Thumbnail } from '#features/media/thumbnail.tsx';

const TEXTS = fieldsOfKind('html');
const FACTS = fieldsOfKind('line', 'status', 'money', 'day', 'category', 'tags');

export const VersionPreview = ({ content }: { content: VersionContent }) => (
  <>
    <dl className="facts hairline">
      {FACTS.map((key) => (
        <div key={key}>
          <dt>{nameOfField(key)}</dt>
          <dd>{factIn(content, key)}</dd>
        </div>
      ))}
    </dl>
    {TEXTS.map(
      (key) =>
        content[key] && (
          <section key={key}>
            <h2 className="screen-section">{nameOfField(key)}</h2>
            <RichText html={content[key]} />
          </section>
        ),
    )}
    {content.credits.length > 0 && (
      <section>
        <h2 className="screen-section">{nameOfField('credits')}</h2>
        <CreditList credits={creditsIn(content.credits)} />
      </section>
    )}
    <h2 className="screen-section">{nameOfField('media')}</h2>
    {content.media.length === 0 ? (
      <p className="empty">No media.</p>
    ) : (
      <ol className="media-grid stack">
        {content.media.map((media) => (
          <li className="inline pad-y-2 hairline-below" key={media.id}>
            <Thumbnail beside media={media} />
            <div className="stack gap-0 grow anywhere">
              <strong>{media.title || 'Untitled'}</strong>
              {media.description && <span>{media.description}</span>}
            </div>
          </li>
        ))}
      </ol>
    )}
    <h2 className="screen-section">{nameOfField('team')}</h2>
    {content.team.length === 0 ? (
      <p className="empty">Nobody.</p>
    ) : (
      <ul className="hairline">
        {content.team.map((member) => (
          <li className="row" key={member.id}>
            <div className="row-words">
              <strong>{member.role ?? 'Member'}</strong>
              <span className="row-meta">{member.name ?? 'A person with an account'}</span>
            </div>
            {member.contribution_percentage !== null && (
              <span className="amount">{member.contribution_percentage}%</span>
            )}
          </li>
        ))}
      </ul>
    )}
  </>
);

function factIn(content: VersionContent, key: (typeof FACTS)[number]): string {
  const value = content[key];
  if (kindOf(key) === 'category') return categoryLabel(content.category) ?? 'None';
  if (Array.isArray(value)) return value.join(', ') || 'None';
  return typeof value === 'number' ? dollarsAndCents(value) : (value ?? 'Not given');
}
