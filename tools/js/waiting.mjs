// SPDX-License-Identifier: Apache-2.0
// Waits for conditions: the only place in which scripts of tests and tools poll.

// Generous: a busy machine delays everything, and a condition that holds ends the wait at once.
const kMillisecondsMax = 60000;
const kPauseMilliseconds = 50;

// The first true value of `condition()`, which may be a promise. Rejects with what was awaited and
// what was seen last: seen(), or the last value of the condition. An error of the condition ends the
// wait.
export async function eventually(condition, what, { milliseconds = kMillisecondsMax, seen } = {}) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) {
      throw new Error(`not within ${milliseconds / 1000} s: ${what}; last seen: ${seen ? await seen() : JSON.stringify(value)}`);
    }
    await new Promise((resolve) => { setTimeout(resolve, kPauseMilliseconds); });
  }
}
