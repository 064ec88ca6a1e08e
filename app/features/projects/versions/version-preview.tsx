import { CreditList } from '#features/credits/credit-list.tsx';
import { creditsIn } from '#features/credits/model/credits.ts';
import { RichText } from '#ui/rich-text.tsx';
import { MediaWords } from '../media/media-words.tsx';
import { fieldsOfKind } from '../model/fields.ts';
import { valueText } from '../model/value-text.ts';
import { nameOfField, type VersionContent } from '../model/versions/versions.ts';
import { Member } from '../team/member.tsx';
import '#ui/admin/facts.css';
import '../projects.css';
import { Thumbnail } from '#features/media/thumbnail.tsx';

const TEXTS = fieldsOfKind('html');
const FACTS = fieldsOfKind('line', 'status', 'money', 'day', 'category', 'tags');

export const VersionPreview = ({ content }: { content: VersionContent }) => (
  <>
    <dl className="facts">
      {FACTS.map((key) => (
        <div key={key}>
          <dt>{nameOfField(key)}</dt>
          <dd>{valueText(key, content[key]) ?? 'Not given'}</dd>
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
          <li className="inline hairline-below" key={media.id}>
            <Thumbnail beside media={media} />
            <MediaWords media={media} />
          </li>
        ))}
      </ol>
    )}
    <h2 className="screen-section">{nameOfField('team')}</h2>
    {content.team.length === 0 ? (
      <p className="empty">Nobody.</p>
    ) : (
      <ul className="rows">
        {content.team.map((member) => (
          <Member key={member.id} member={member} name={member.name ?? 'A person with an account'} />
        ))}
      </ul>
    )}
  </>
);
