import { useSubmit } from '#ui/form/use-submit.ts';
import { identityErrors } from './model/identity-error.ts';

export const useIdentitySubmit = () => useSubmit(identityErrors.failed, identityErrors.inWords);
