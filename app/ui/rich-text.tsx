import { cleanRichText } from '../../rich-text.ts';

const asItIs = (clean: string) => clean;

/** The one component that accepts a stranger's HTML; it cleans what it is given. */
export const RichText = ({
  html,
  edit = asItIs,
}: {
  html: string;
  /** Fits what is clean into its page. */
  edit?: (clean: string) => string;
}) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by the allow list in the same expression
  <div className="prose" dangerouslySetInnerHTML={{ __html: edit(cleanRichText(html)) }} />
);
