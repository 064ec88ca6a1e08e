/** Words of the contact block, its form and its own page. */
export const contact = {
  pageTitle: 'Contact',
  description: 'Write to us, call, come by, or book half an hour. No deck, no pitch.',
  /** The last word as wide as hands go. */
  title: ['Say', 'hello'],
  text: 'Half an hour, no deck, no pitch. Bring the idea you keep not telling people.',
  meet: 'Book a Mad Meet',
  write: 'Write',
  call: 'Call',
  comeBy: 'Come by',
  form: {
    title: 'Or send a message',
    name: 'Your name',
    email: 'Your e-mail address',
    emailHint: 'So that we can answer',
    message: 'Your message',
    trap: 'Leave this empty',
    send: 'Send message',
    privacy: 'What we keep, and for how long',
  },
  sent: {
    title: 'Your message is sent',
    text: 'Thank you. It has reached us, and a person will read it.',
    another: 'Write another',
  },
  missingName: 'Please tell us your name',
  longName: 'Please keep your name to 200 characters',
  badEmail: 'Please enter an address such as name@example.com',
  missingMessage: 'Please write something',
  longMessage: (characters: string) => `Please keep it to 5,000 characters; these are ${characters}`,
  checkFields: 'Nothing was sent yet. Please look at the fields that are marked.',
  tooQuick: 'That was faster than people write, so we ask once more: please press the button again.',
  tooMany:
    'That is a lot of messages at once. Yours was not sent; it is still here. Please try again in ten minutes, or write to',
  failed: 'Your message could not be taken just now. It is still here: please try again, or send it to',
  notReadable: 'This could not be read as a message. Please use the form, or write to',
} as const;
