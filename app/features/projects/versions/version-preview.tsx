import { CreditList } from '#features/credits/credit-list.tsx';
import { creditsIn } from '#features/credits/model/credits.ts';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { MediaWords } from '../media/media-words.tsx';
import { nameOfField, type VersionContent } from '../model/versions/versions.ts';
import { FieldFacts, FieldTexts } from '../project-facts.tsx';
import { Member } from '../team/member.tsx';
import '../projects.css';

export const VersionPreview = ({ content }: { content: VersionContent }) => (
  <>
    <h2 className="screen-section anywhere">{content.title}</h2>
    <FieldFacts values={content} />
    <FieldTexts values={content} />
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
            <MediaWords media={media} />
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
          <Member key={member.id} member={member} name={member.name ?? 'A person with an account'} />
        ))}
      </ul>
    )}
  </>
);
