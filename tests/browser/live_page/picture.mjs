// SPDX-License-Identifier: Apache-2.0
// Pictures of the page over the fake program, to look at:
//   node tests/browser/live_page/picture.mjs FOLDER OUTPUT.png [lab|simulator|cluster|counted|uncounted|many|empty] [WIDTH] [HEIGHT] [light|dark] [#/ADDRESS] [whole] [SCRIPT]
import { Browser } from '../../../tools/js/browser.mjs';
import { FakeProgram, shapes } from './fake_program.mjs';

const [folder, output, shape = 'lab', width = '1280', height = '800', theme = 'light', address = '#/', whole = '', script = ''] = process.argv.slice(2);
const program = new FakeProgram(folder, shapes[shape]);
const url = await program.listen();
const browser = await Browser.start();
try {
  const tab = await browser.open({ width: Number(width), height: Number(height), dark: theme === 'dark' });
  await tab.go(url + address);
  if (script) await tab.read(script);
  await tab.settled();
  await tab.picture(output, whole === 'whole');
  for (const error of tab.errors) console.error(error);
} finally {
  await browser.stop();
  await program.close();
}
