import { useRef } from "preact/hooks";

/** The newest of something, for whoever listens longer than one rendering. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
