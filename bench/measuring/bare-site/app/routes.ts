import { index, route } from '@react-router/dev/routes';

export default [index('list.tsx'), route('one', 'one.tsx')];
