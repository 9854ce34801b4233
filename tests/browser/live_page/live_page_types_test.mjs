// SPDX-License-Identifier: Apache-2.0
// The sources of the live page agree with their types:
//   node live_page_types_test.mjs UI_LIVE
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const page = process.argv[2];
const { status } = spawnSync(process.execPath, [join(page, 'node_modules/typescript/bin/tsc'), '-p', page], { stdio: 'inherit' });
process.exit(status ?? 1);
