import { definePage, line, searchText, text } from '#lib/fields/page-field.ts';

export const contactPage = definePage(
  'contact',
  'Contact',
  {
    description: searchText(),
    start: line('Headline, first word', 20),
    end: line('Headline, second word, wide', 20),
    text: text('Text', 300),
    meet: line('Link to the calendar', 60),
    write: line('Before the email address', 40),
    call: line('Before the phone number', 40),
    comeBy: line('Before the office address', 40),
  },
  {
    description: 'Write to us, call, come by, or book half an hour. No deck, no pitch.',
    start: 'Say',
    end: 'hello',
    text: 'Half an hour, no deck, no pitch. Bring the idea you haven’t told anyone yet.',
    meet: 'Book a Mad Meet',
    write: 'Write',
    call: 'Call',
    comeBy: 'Come by',
  },
);

export const contact = {
  pageTitle: 'Contact',
  form: {
    name: 'Your name',
    email: 'Your email address',
    message: 'Your message',
    send: 'Send message',
  },
  sent: {
    title: 'Your message is sent',
  },
  missingName: 'Please tell us your name',
  longName: 'Please keep your name to 200 characters',
  badEmail: 'Please enter an address such as name@example.com',
  missingMessage: 'Please write something',
  longMessage: (characters: string) => `Please keep it to 5,000 characters; these are ${characters}`,
  checkFields: 'Nothing was sent yet. Please check the marked fields.',
  tooQuick: 'That was very quick. Please send it again, so that we know you’re not a bot.',
  tooMany:
    'That is a lot of messages at once. Yours was not sent; it is still here. Please try again in ten minutes, or write to',
  failed: 'Your message could not be taken just now. It is still here: please try again, or send it to',
  notReadable: 'This could not be read as a message. Please use the form, or write to',
} as const;
