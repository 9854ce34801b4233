// SPDX-License-Identifier: Apache-2.0
// An answer that a part of the page asks for, again whenever its question changes. Late answers to
// earlier questions are dropped. Nothing is asked while there is no question.
import { useEffect, useState } from 'preact/hooks';
import { wordsOf } from './api';

export interface Fetched<T> { value: T | null; error: string | null }

export function useFetched<T>(ask: () => Promise<T>, question: string | null, delayMilliseconds = 0): Fetched<T> {
  const [answer, setAnswer] = useState<Fetched<T>>({ value: null, error: null });
  useEffect(() => {
    if (question === null) {
      setAnswer({ value: null, error: null });
      return undefined;
    }
    let ended = false;
    const timer = setTimeout(() => {
      ask().then(
        (value) => { if (!ended) setAnswer({ value, error: null }); },
        (error: unknown) => { if (!ended) setAnswer({ value: null, error: wordsOf(error) }); },
      );
    }, delayMilliseconds);
    return () => {
      clearTimeout(timer);
      ended = true;
    };
  }, [question]);
  return answer;
}
