import { useRef } from "preact/hooks";

/** The newest value, for a listener that outlives one rendering. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
