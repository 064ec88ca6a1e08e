import { definePage, line, text } from '#lib/fields/page-field.ts';

export const missingPage = definePage('missing', 'Page not found', {
  title: line('Title', 40).is('Page Not Found'),
  text: text('Text', 300).is(
    'We can’t find that page. The link may be old or mistyped. Or the plates slipped: then it’s our press, not you.',
  ),
  home: line('Link to the home page', 24).is('Back to Home'),
  back: line('Button to the page before', 24).is('Go Back'),
});
