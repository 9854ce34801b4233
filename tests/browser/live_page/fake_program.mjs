// SPDX-License-Identifier: Apache-2.0
// The program as the page sees it, for tests and for work on the page. By hand:
//   node tests/browser/live_page/fake_program.mjs FOLDER [lab|simulator|cluster|many|empty] [PORT]
import { realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Cluster, kCluster, kCounted, kEmpty, kLab, kSimulator, kUncounted, manyServices } from './model_cluster.mjs';

const types = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

export class FakeProgram {
  #server;
  #streams = new Set();
  #sockets = new Set();
  #timer;
  #port = 0;

  // `folder` is where build.mjs wrote the page.
  constructor(folder, shape = kLab, now = Date.now() / 1000) {
    this.folder = folder;
    this.cluster = new Cluster(shape, now - (shape.mode === 'lab' ? 240 : 3));
    for (let i = 0; i < (shape.mode === 'lab' ? 240 : 3); ++i) this.cluster.tick();
    this.documents = null;  // what the real program wrote, instead of what the model says: see recorded()
    this.posts = [];      // every POST, as [path, body]
    this.token = true;    // whether the page's is accepted
    this.refuse = null;   // words with which the next POSTs are refused
    this.still = false;   // whether no states come by themselves
  }

  async listen(port = this.#port) {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        response.writeHead(500, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ error: String(error) }));
      });
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise((resolve) => { this.#server.listen(port, '127.0.0.1', resolve); });
    this.#port = this.#server.address().port;
    this.#timer = setInterval(() => { if (!this.still) this.push(); }, 1000);
    return `http://127.0.0.1:${this.#port}/`;
  }

  // Gone, as a program that was killed is; listen() brings it back at the same port.
  async close() {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
    this.#streams.clear();
    await new Promise((resolve) => { this.#server.close(resolve); });
  }

  #recorded(path) {
    if (path.endsWith('/explain')) return this.documents.explain;
    if (path.endsWith('/routes')) return this.documents.routes;
    return this.documents[path.replace('/api/', '')];
  }

  push() {
    const text = `event: state\ndata: ${JSON.stringify(this.documents?.state ?? this.cluster.tick())}\n\n`;
    // Who has not read the last state yet gets a later one: states do not queue up.
    for (const stream of this.#streams) if (!stream.writableNeedDrain) stream.write(text);
  }

  async #answer(request, response) {
    const path = decodeURI(new URL(request.url, 'http://localhost').pathname);
    if (request.method === 'POST') return this.#post(path, request, response);
    const json = (value, status = 200) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const parts = path.split('/');
    const recorded = this.documents && this.#recorded(path);
    if (recorded) return json(recorded);
    if (!this.token && path.startsWith('/api/')) return json({ error: 'the token is wrong' }, 401);
    if (path === '/api/state') return json(this.cluster.state());
    if (path === '/api/history') return json(this.cluster.historyDocument());
    if (path === '/api/stream') return this.#stream(response);
    if (parts[2] === 'services' && parts[5] === 'explain') return json(this.cluster.explain(`${parts[3]}/${parts[4]}`));
    if (parts[2] === 'nodes') {
      return this.cluster.nodes.find((node) => node.name === parts[3])?.power
        ? json(this.cluster.routes(parts[3])) : json({ error: `node ${parts[3]} cannot be reached` }, 502);
    }
    return this.#file(path, response);
  }

  #stream(response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    response.write(`event: state\ndata: ${JSON.stringify(this.documents?.state ?? this.cluster.state())}\n\n`);
  }

  async #file(path, response) {
    const name = path === '/' ? 'index.html' : path.replace(/^\/assets\/(\w+)-[0-9a-f]+\.(\w+)$/, '$1.$2');
    const body = await readFile(join(this.folder, name)).catch(() => null);
    response.writeHead(body ? 200 : 404, {
      'Content-Type': types[name.split('.').pop()] ?? 'text/plain', 'Content-Security-Policy': "default-src 'self'", 'X-Content-Type-Options': 'nosniff',
    });
    response.end(body ?? 'no such file');
  }

  async #post(path, request, response) {
    let text = '';
    for await (const part of request) text += part;
    const body = JSON.parse(text || '{}');
    const reply = (status, value) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (request.headers['x-proxima'] !== '1') return reply(403, { error: 'the header X-Proxima is missing' });
    if (path === '/api/predict') return reply(200, this.documents?.predict ?? this.cluster.predict(body));
    this.posts.push([path, body]);
    if (this.refuse) return reply(409, { error: this.refuse });
    const { cluster } = this;
    const actions = {
      'fail-zone': () => cluster.failZone(body.zone), 'kill-node': () => cluster.killNode(body.node), heal: () => cluster.heal(body),
      'add-node': () => cluster.addNode(body.zone), scale: () => cluster.scale(body.service, body.zones), demand: () => cluster.demand(body.zones),
    };
    const policy = path.match(/^\/api\/services\/([^/]+\/[^/]+)\/policy$/);
    const act = policy ? () => cluster.setPolicy(policy[1], body) : actions[path.replace('/api/lab/', '')];
    if (!act) return reply(404, { error: 'no such action' });
    act();
    this.push();
    return reply(200, {});
  }
}

// The documents of ui/live/fixtures, which a test of the program keeps equal to what it writes.
export async function recorded() {
  const folder = new URL('../../../ui/live/fixtures/', import.meta.url);
  const names = ['state', 'history', 'explain', 'routes', 'predict'];
  const documents = await Promise.all(names.map(async (name) => [name, JSON.parse(await readFile(new URL(`${name}.json`, folder), 'utf8'))]));
  return Object.fromEntries(documents);
}

export const shapes = { lab: kLab, cluster: kCluster, counted: kCounted, uncounted: kUncounted, simulator: kSimulator, empty: kEmpty, get many() { return manyServices(); } };

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [folder, shape = 'lab', port = '0'] = process.argv.slice(2);
  console.log(await new FakeProgram(folder, shapes[shape]).listen(Number(port)));
}
