// SPDX-License-Identifier: Apache-2.0
// Bundles the page:            node build.mjs FOLDER
// Bundles one test program:    node build.mjs --test SOURCE OUTPUT
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const common = {
  bundle: true, logLevel: 'warning', charset: 'utf8', jsx: 'automatic', jsxImportSource: 'preact',
};

function bundledPackages(metafile) {
  const packages = new Set(Object.keys(metafile.inputs)
    .map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean));
  return [...packages].sort();
}

// The licences of what is bundled ask to be passed on with it.
async function notices(metafile) {
  const texts = [];
  for (const name of bundledPackages(metafile)) {
    const folder = join(here, 'node_modules', name);
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} says nothing about its licence`);
    texts.push(`${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`);
  }
  return `/*\n${texts.join('\n\n----\n\n').replaceAll('*/', '* /')}\n*/\n`;
}

async function buildPage(folder) {
  await mkdir(folder, { recursive: true });
  const { outputFiles, metafile } = await build({
    ...common,
    absWorkingDir: here,
    entryPoints: ['src/app.tsx'],
    outdir: folder,
    write: false,
    metafile: true,
    minify: true,
    legalComments: 'none',
    format: 'esm',
    target: ['es2021', 'chrome100', 'firefox100', 'safari15'],
  });
  const bundled = (name) => outputFiles.find((file) => file.path.endsWith(name)).text;
  const files = {
    'app.js': await notices(metafile) + bundled('app.js'),
    'app.css': bundled('app.css'),
    'icon.svg': await readFile(join(here, 'icon.svg'), 'utf8'),
  };
  let index = await readFile(join(here, 'index.html'), 'utf8');
  const names = [];
  for (const [name, text] of Object.entries(files)) {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
    const hashed = name.replace('.', `-${hash}.`);
    index = index.replaceAll(`{{${name}}}`, `/assets/${hashed}`);
    names.push(`${name} ${hashed}\n`);
    await writeFile(join(folder, name), text);
  }
  await writeFile(join(folder, 'index.html'), index);
  await writeFile(join(folder, 'bundled.json'), `${JSON.stringify(bundledPackages(metafile))}\n`);
  await writeFile(join(folder, 'names.txt'), names.join(''));
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--test') {
  await build({ ...common, entryPoints: [rest[0]], outfile: rest[1], platform: 'node', format: 'esm', target: 'node18' });
} else {
  await buildPage(first);
}
