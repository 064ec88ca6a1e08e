const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** Day and time where the reader is. */
export const Moment = ({ at }: { at: string }) => <time dateTime={at}>{moment.format(new Date(at))}</time>;

/** Only the time: for what happens today. */
export const Clock = ({ at }: { at: string }) => <time dateTime={at}>{clock.format(new Date(at))}</time>;
