import { definePage, line, text } from '#lib/fields/page-field.ts';

export const missingPage = definePage(
  'missing',
  'Page not found',
  {
    title: line('Title', 40),
    text: text('Text', 300),
    home: line('Link to the home page', 24),
    back: line('Button to the page before', 24),
  },
  {
    title: 'Page Not Found',
    text: 'We can’t find that page. The link may be old or mistyped. Or the plates slipped: then it’s our press, not you.',
    home: 'Back to Home',
    back: 'Go Back',
  },
);
