// SPDX-License-Identifier: Apache-2.0
// Headless Chromium, spoken to over its debugging pipe: file descriptors 3 and 4, messages that end
// in a zero byte. No port is opened, and nothing but Node is needed.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './waiting.mjs';

export function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? '').split(':')) {
    try {
      accessSync(join(folder, 'chromium'), constants.X_OK);
      return join(folder, 'chromium');
    } catch { /* not in this one */ }
  }
  return null;
}

export class Browser {
  #process;
  #next = 1;
  #waiting = new Map();
  #listeners = [];

  static async start() {
    const browser = new Browser();
    browser.profile = await mkdtemp(join(tmpdir(), 'proxima-live-page-'));
    browser.#process = spawn(findBrowser(), ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars', '--disable-dev-shm-usage',
      '--remote-debugging-pipe', `--user-data-dir=${browser.profile}`], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    let text = '';
    browser.#process.stdio[4].on('data', (data) => {
      text += data;
      for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0')) {
        browser.#receive(JSON.parse(text.slice(0, end)));
        text = text.slice(end + 1);
      }
    });
    return browser;
  }

  #receive(message) {
    const waiting = this.#waiting.get(message.id);
    if (waiting) {
      this.#waiting.delete(message.id);
      if (message.error) waiting.reject(new Error(message.error.message));
      else waiting.resolve(message.result);
    } else {
      for (const listener of this.#listeners) listener(message);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => { this.#waiting.set(id, { resolve, reject }); });
  }
  listen(listener) { this.#listeners.push(listener); }

  async open(look = {}) {
    const { browserContextId } = await this.send('Target.createBrowserContext');
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    return Tab.create(this, sessionId, { ...look, targetId });
  }

  async stop() {
    const ended = new Promise((resolve) => { this.#process.on('exit', resolve); });
    this.#process.kill('SIGKILL');
    await ended;
    // Helpers of the browser may still be writing their last.
    await rm(this.profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

// Whether three frames pass in which nothing of the document changes, and no transition is under way
// after them. Dashes move for ever, and do not count.
const kAtRest = `(async () => {
  let changed = false;
  const observer = new MutationObserver(() => { changed = true; });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let frame = 0; frame < 3; ++frame) await new Promise(requestAnimationFrame);
  observer.disconnect();
  const ends = (animation) => animation.effect.getComputedTiming().endTime < Infinity;
  return !changed && !document.getAnimations().some((animation) => animation.playState === 'running' && ends(animation));
})()`;

export class Tab {
  #asked = new Set();  // requests without an end so far; the stream of states has none

  constructor(browser, session) { Object.assign(this, { browser, session, errors: [] }); }

  static async create(browser, session, { targetId, width = 1280, height = 800, dark = false, reducedMotion = false }) {
    const tab = Object.assign(new Tab(browser, session), { targetId });
    browser.listen(({ method, params, sessionId }) => {
      if (sessionId !== session) return;
      tab.#follow(method, params);
      if (method === 'Runtime.exceptionThrown') tab.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      // Requests that fail are logged by the browser too; a lost connection is no fault of the page.
      if (method === 'Log.entryAdded' && params.entry.level === 'error' && params.entry.source !== 'network') tab.errors.push(params.entry.text);
    });
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await tab.send(`${domain}.enable`);
    await tab.size(width, height);
    await tab.prefer({ dark, reducedMotion });
    return tab;
  }

  #follow(method, params) {
    if (method === 'Network.requestWillBeSent' && params.type !== 'EventSource') this.#asked.add(params.requestId);
    if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') this.#asked.delete(params.requestId);
    // What the page before this one asked for is nobody's any more.
    if (method === 'Page.frameNavigated' && !params.frame.parentId) this.#asked.clear();
  }

  prefer({ dark = false, reducedMotion = false }) {
    return this.send('Emulation.setEmulatedMedia', { features: [
      { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
    ] });
  }

  send(method, params) { return this.browser.send(method, params, this.session); }
  size(width, height) {
    return this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  }

  async go(url) {
    await this.send('Page.navigate', { url });
    await this.until('document.querySelector("main")?.dataset.ready');
  }

  // The value of an expression in the page; promises are waited for.
  async read(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  until(expression) { return eventually(() => this.read(expression), expression); }

  // After what was asked for has been answered and drawn.
  settled() {
    return eventually(async () => await this.read(kAtRest) && this.#asked.size === 0, 'the page is at rest',
      { seen: () => `${this.#asked.size} requests without an answer` });
  }
  close() { return this.browser.send('Target.closeTarget', { targetId: this.targetId }); }

  click(selector) { return this.read(`document.querySelector(${JSON.stringify(selector)}).click()`); }
  text(selector) { return this.read(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`); }
  count(selector) { return this.read(`document.querySelectorAll(${JSON.stringify(selector)}).length`); }

  // As a person's typing does it: the value, then the events that a control sends.
  set(selector, value, ...events) {
    return this.read(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.value = ${JSON.stringify(String(value))};
      for (const event of ${JSON.stringify(events.length ? events : ['input', 'change'])}) element.dispatchEvent(new Event(event, { bubbles: true }));
    })()`);
  }

  async press(key, modifiers = 0) {
    const code = { Tab: 9, Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35, ' ': 32 }[key];
    const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined;
    const event = { key, code: key, windowsVirtualKeyCode: code, modifiers, ...(text ? { text } : {}) };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  async picture(file, whole = false) {
    const clip = whole ? await this.read('({ x: 0, y: 0, scale: 1, width: document.documentElement.clientWidth, height: document.documentElement.scrollHeight })') : undefined;
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: whole, ...(clip ? { clip } : {}) });
    await writeFile(file, Buffer.from(data, 'base64'));
  }
}
