import { type ComponentType, lazy, Suspense } from 'react';

/** A lazy component that renders nothing when its script fails to load. */
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
