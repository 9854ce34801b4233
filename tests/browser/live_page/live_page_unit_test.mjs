// SPDX-License-Identifier: Apache-2.0
// Bundles the tests of unit/ with the sources that they test, and runs them with Node's own runner:
//   node live_page_unit_test.mjs FOLDER
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const output = join(process.argv[2], 'unit');
mkdirSync(output, { recursive: true });
const run = (...words) => {
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
const programs = readdirSync(join(here, 'unit')).map((name) => {
  run(join(here, '../../../ui/live/build.mjs'), '--test', join(here, 'unit', name), join(output, name));
  return join(output, name);
});
run('--test', ...programs);
