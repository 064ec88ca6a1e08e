const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** When something was saved, to the minute. */
export const SavedAt = ({ at }: { at: string }) => <time dateTime={at}>{moment.format(new Date(at))}</time>;
