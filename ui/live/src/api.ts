// SPDX-License-Identifier: Apache-2.0
// Requests to the program that served the page. The token travels in a cookie.

// An answer of the program that is no success, in its own words where it has some.
export class Refusal extends Error {
  constructor(readonly status: number, message: string) { super(message); }
}

async function answer<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.ok) return (text ? JSON.parse(text) : {}) as T;
  let words = `the program answered ${response.status}`;
  try {
    words = (JSON.parse(text) as { error?: string }).error || words;
  } catch { /* not JSON: the status says what there is to say */ }
  throw new Refusal(response.status, words);
}

const reach = async (path: string, init?: RequestInit): Promise<Response> => {
  try {
    return await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch {
    throw new Refusal(0, 'the program does not answer');
  }
};

// A program that accepts a connection and then says nothing is as lost as one that is gone.
const kPatienceMilliseconds = 15000;

export const get = async <T>(path: string): Promise<T> => {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), kPatienceMilliseconds);
  try {
    return await answer<T>(await reach(path, { signal: patience.signal }));
  } finally {
    clearTimeout(timer);
  }
};

export const post = async <T>(path: string, body: unknown): Promise<T> => answer<T>(await reach(path, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Proxima': '1' },
  body: JSON.stringify(body),
}));

export const servicePath = (service: string): string => service.split('/').map(encodeURIComponent).join('/');

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
