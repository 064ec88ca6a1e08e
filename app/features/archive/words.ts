export const archiveWords = {
  title: 'Download everything',
  inside:
    'One file with every project, text, message, account, setting and picture as of now. Keep it as a backup, or use it to move this site to another server.',
  outside:
    'The file contains no passwords, second factors, sign-ins, draft links or keys. On a site started from the file, people choose a new password with a reset link.',
  careful: 'It contains people’s names and email addresses, so store it safely.',
  button: 'Download everything',
  preparing: 'Getting everything ready...',
  downloading: 'Downloading...',
  progress: 'Download of everything',
  soFar: (got: string, about: string) => `${got} of about ${about}`,
  stop: 'Cancel',
  stopped: 'The download was cancelled. Nothing was saved.',
  done: (size: string) => `Everything is in the file: ${size}.`,
  cutOff: 'The download broke off, so nothing was saved. Check the connection, then try again.',
  noRoomHere: 'This device has no space for the file, so nothing was saved. Free some space, then try again.',
  failed: 'The download could not begin. Try again in a moment.',
  signInAgain: 'Sign in again',
  signInWhy: 'The download starts after you sign in.',
  hosted:
    'This site’s data is stored by a hosting service, so there is no button here: its dashboard downloads the database and the files, and backs them up.',
} as const;
