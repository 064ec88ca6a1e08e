export const archiveWords = {
  title: 'Download everything',
  inside:
    'One file with every project, text, message, account and setting, and every picture, as they are at this moment. It is yours to keep, or to start this site elsewhere with.',
  outside:
    'Passwords, second factors, sign-ins, draft links and keys stay here. On a site started from the file, people choose a new password with a reset link.',
  careful: 'It holds people’s names and addresses: keep it as carefully as this site does.',
  button: 'Download everything',
  preparing: 'Getting everything ready...',
  downloading: 'Downloading...',
  progress: 'Download of everything',
  soFar: (got: string, about: string) => `${got} of about ${about}`,
  stop: 'Cancel',
  stopped: 'The download was cancelled. Nothing was saved.',
  done: (size: string) => `Everything is in the file: ${size}.`,
  cutOff: 'The download broke off, so nothing was saved. Check the connection, then try again.',
  noRoomHere: 'This device has no room for the file, so nothing was saved. Make room, then try again.',
  failed: 'The download could not begin. Try again in a moment.',
  signInAgain: 'Sign in again',
  signInWhy: 'The download begins when you have signed in.',
  hosted:
    'This site’s data is stored by a hosting service, so there is no button here: its dashboard downloads the database and the files, and backs them up.',
} as const;
