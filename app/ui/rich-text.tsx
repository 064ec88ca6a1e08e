import { cleanRichText } from '../../rich-text.ts';

/** The one component that accepts a stranger's HTML; it cleans what it is given. */
export const RichText = ({ html, className = '' }: { html: string; className?: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by the allow list in the same expression
  <div className={`prose ${className}`.trim()} dangerouslySetInnerHTML={{ __html: cleanRichText(html) }} />
);
