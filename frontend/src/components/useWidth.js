import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The width of an element, now and whenever it changes. */
export function useWidth() {
  const ref = useRef(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidth(Math.floor(ref.current.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
