const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** A day as people write it; the exact time is in the markup. */
export const DayTime = ({ at }: { at: string }) => <time dateTime={at}>{day.format(new Date(at))}</time>;
