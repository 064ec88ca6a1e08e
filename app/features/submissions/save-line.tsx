import { type FormState, unkeptOf } from './form/form-state.ts';
import { deviceWords as words } from './words/device.ts';

export function savedLine(state: FormState): string {
  const { saved, tab } = state;
  const unkept = unkeptOf(state);
  if (saved === 'saved' && unkept.length > 0) return words.savedWithout(unkept.join(', '));
  return saved === 'saved' && tab === 'unknown' ? words.tabsUnknown : words.saved[saved];
}

export const SaveLine = ({ state }: { state: FormState }) => (
  <p className="slip submit-saved" data-saved={state.saved} data-lacks={unkeptOf(state).length > 0 || undefined}>
    {savedLine(state)}
  </p>
);
