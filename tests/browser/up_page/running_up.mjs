// SPDX-License-Identifier: Apache-2.0
// A running `proxima up` for the tests in a browser: tests/system/up/running_up.py is its counterpart in Python.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../tools/js/waiting.mjs';

export class Up {
  #child;
  #environment;
  #code = null;  // how it ended: a number or the name of a signal

  // State, output and logs go to a folder of its own, which remove() takes away.
  constructor(program, ...flags) {
    this.program = program;
    this.folder = mkdtempSync(join(tmpdir(), 'px-page-'));
    this.#environment = { ...process.env, XDG_STATE_HOME: this.folder, NO_COLOR: '1' };
    const files = ['out', 'err'].map((name) => openSync(join(this.folder, name), 'w'));
    this.#child = spawn(program, ['up', ...flags], { stdio: ['ignore', ...files], env: this.#environment, cwd: this.folder });
    this.#child.on('error', (error) => { this.#code = error.message; });
    this.#child.on('exit', (code, signal) => { this.#code = code ?? signal; });
    files.forEach(closeSync);
  }

  said(name) { return readFileSync(join(this.folder, name), 'utf8'); }

  // Returns when the summary was printed.
  async ready() {
    const [, page, kubeconfig] = await eventually(() => {
      if (this.#code !== null) throw new Error(`it ended with ${this.#code}: ${this.said('out')}${this.said('err')}`);
      return this.said('out').match(/Page:\s+(\S+)\n(?:.*\n)*?\s*Kubeconfig:\s+(\S+)\n/);
    }, 'the summary', { seen: () => this.said('out') + this.said('err') });
    Object.assign(this, { page, kubeconfig });
    return this;
  }

  // The document that `proxima explain -o json` prints.
  explain(service, ...words) {
    const { status, stdout, stderr } = spawnSync(this.program, ['explain', service, ...words, '-o', 'json'],
      { env: this.#environment, encoding: 'utf8', timeout: 20000 });
    if (status !== 0) throw new Error(`explain ${service} ${words.join(' ')}: ${status}: ${stdout}${stderr}`);
    return JSON.parse(stdout);
  }

  // All processes of this lab: they name its files.
  processes() {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(this.folder);
      } catch { return false; }  // it has just ended
    });
  }

  // As Ctrl-C does it; returns its exit code.
  async end() {
    if (this.#code === null) this.#child.kill('SIGINT');
    await eventually(() => this.#code !== null, 'its end');
    return this.#code;
  }

  // What the lab left in its folder for state.
  leftovers() { return readdirSync(join(this.folder, 'proxima')); }

  // For the end of every test, one that failed too.
  async remove() {
    if (this.#code === null) this.#child.kill('SIGKILL');
    await eventually(() => this.#code !== null, 'its end');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
