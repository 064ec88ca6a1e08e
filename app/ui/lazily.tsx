import { type ComponentType, lazy, Suspense } from 'react';

/** A component whose script is loaded when it is first shown. Where that fails, nothing is shown in its place. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: (() => null) as ComponentType<Props> }),
    ),
  );
  return (props: Props) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
