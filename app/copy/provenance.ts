import { creditWords, type Made } from './credits.ts';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What of content credentials is put into words. */
interface Told {
  state: keyof typeof VERDICTS;
  signer?: string;
  tool?: string;
  /** ISO 8601. */
  signed?: string;
}

function namesIn({ tool, signer, signed }: Told): string {
  const date = signed && !Number.isNaN(Date.parse(signed)) ? day.format(new Date(signed)) : null;
  return [
    tool && `made with ${tool}`,
    signer && `signed in the name of ${signer}`,
    date && (signer ? `on ${date}` : `signed on ${date}`),
  ]
    .filter(Boolean)
    .join(', ')
    .replace(', on ', ' on ');
}

const VERDICTS = {
  intact: 'The file came here as it was signed. Who the signer is was not checked.',
  changed: 'They do not fit: the file was changed after it was signed.',
  unproven: 'Whether they are true could not be checked.',
};

/** What is said about the origin of a picture by its own file. */
export const provenanceWords = {
  credentials: (credentials: Told) =>
    `Content credentials: ${namesIn(credentials) || 'no names in them'}. ${VERDICTS[credentials.state]}`,
  unmarked: (made: Made) => `The file itself says: made ${creditWords.madeHow[made]}. Nobody has said so here.`,
  otherwise: (made: Made) => `The file itself says something else: made ${creditWords.madeHow[made]}.`,
} as const;
