import { definePage, group, line, metaWords, text } from '#lib/fields/page-field.ts';

export const contactPage = definePage('contact', 'Contact', {
  ...metaWords(
    'Contact',
    'No deck, no pitch · answered by a person',
    'Write to us, call, come by, or book half an hour. No deck, no pitch.',
  ),
  start: line('Headline, first word', 20).is('Say'),
  end: line('Headline, second word, wide', 20).is('hello'),
  text: text('Text', 300).is('Half an hour, no deck, no pitch. Bring the idea you haven’t told anyone yet.'),
  meet: line('Link to the calendar', 60).is('Book a Mad Meet'),
  write: line('Before the email address', 40).is('Write'),
  call: line('Before the phone number', 40).is('Call'),
  comeBy: line('Before the office address', 40).is('Come by'),
  card: group('Message', {
    title: line('Title', 60).is('Or send a message'),
    message: line('Field for the message', 40).is('Your message'),
    name: line('Field for the name', 40).is('Your name'),
    email: line('Field for the email address', 40).is('Your email address'),
    emailHint: line('Under the email address').is('So we can reply'),
    send: line('Button', 24).is('Send message'),
    privacy: line('Link to the privacy policy', 40).is('Privacy: what we store'),
    sentTitle: line('When it is sent: title', 60).is('Your message is sent'),
    sent: text('When it is sent: text', 200).is('Thank you. We have your message, and a person will read it.'),
    another: line('When it is sent: link', 40).is('Write another'),
  }),
});

export const contact = {
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
