// SPDX-License-Identifier: Apache-2.0
// A long list of which only the rows in sight are in the document. Rows are of one height.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

export interface Slice { first: number; last: number }  // [first, last)

export function rowsInSight(scrollTop: number, viewHeight: number, rowHeight: number, count: number): Slice {
  const spare = 6;
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight) - spare, count));
  return { first, last: Math.min(count, Math.ceil((scrollTop + viewHeight) / rowHeight) + spare) };
}

interface Props<T> {
  label: string;
  items: T[];
  rowHeight: number;
  mostRows: number;  // in sight at once; more are scrolled
  row: (item: T, index: number) => ComponentChildren;
}

export function VirtualRows<T>({ label, items, rowHeight, mostRows, row }: Props<T>) {
  const [top, setTop] = useState(0);
  const ref = useRef<HTMLDivElement>(null);
  const viewHeight = Math.min(items.length, mostRows) * rowHeight;
  const { first, last } = rowsInSight(Math.min(top, Math.max(0, items.length * rowHeight - viewHeight)), viewHeight, rowHeight, items.length);
  const scrolls = items.length > mostRows;
  return (
    <div class={scrolls ? 'rows scrolls' : 'rows'} ref={ref} role="rowgroup" aria-label={label} {...(scrolls ? { tabIndex: 0 } : {})}
      style={{ height: `${viewHeight}px` }} onScroll={() => setTop(ref.current?.scrollTop ?? 0)}>
      <div class="all-rows" role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
        <div class="rows-in-sight" role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {items.slice(first, last).map((item, index) => row(item, first + index))}
        </div>
      </div>
    </div>
  );
}
