// SPDX-License-Identifier: Apache-2.0
// Sizes of the page that pictures and virtual lists need as numbers.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { large } from './theme';

export interface Size { width: number; em: number }

const typeSize = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) || 15;

// The width of an element as it is now, and the size of the type in it.
export function useSize<T extends Element>() {
  const ref = useRef<T>(null);
  const [size, setSize] = useState<Size>({ width: 0, em: 15 });
  const isLarge = large.value;
  useLayoutEffect(() => {
    const read = () => {
      // Rounded down: clientWidth rounds, and half a pixel too much cuts off a border.
      const width = Math.floor(ref.current?.getBoundingClientRect().width ?? 0);
      setSize((old) => (old.width === width && old.em === typeSize() ? old : { width, em: typeSize() }));
    };
    const observer = new ResizeObserver(read);
    if (ref.current) observer.observe(ref.current);
    read();
    return () => observer.disconnect();
  }, [isLarge]);
  return { ref, ...size };
}
