// SPDX-License-Identifier: Apache-2.0
// An answer that a part of the page asks for, again whenever its question changes. Late answers to
// earlier questions are dropped. Nothing is asked while there is no question.
import { useEffect, useState } from 'preact/hooks';
import { wordsOf } from './api';

export interface Fetched<T> { value: T | null; error: string | null }

export function useFetched<T>(ask: (signal: AbortSignal) => Promise<T>, question: string | null, delayMilliseconds = 0): Fetched<T> {
  const [answer, setAnswer] = useState<Fetched<T>>({ value: null, error: null });
  useEffect(() => {
    if (question === null) {
      setAnswer({ value: null, error: null });
      return undefined;
    }
    const ended = new AbortController();
    const timer = setTimeout(() => {
      ask(ended.signal).then(
        (value) => { if (!ended.signal.aborted) setAnswer({ value, error: null }); },
        (error: unknown) => { if (!ended.signal.aborted) setAnswer({ value: null, error: wordsOf(error) }); },
      );
    }, delayMilliseconds);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [question]);
  return answer;
}
