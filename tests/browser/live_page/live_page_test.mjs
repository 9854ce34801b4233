// SPDX-License-Identifier: Apache-2.0
// The live page in headless Chromium over a fake program: every control, both themes, three widths.
//   node live_page_test.mjs FOLDER    (where the page was built)
// Exit code 77: there is no browser, and nothing of this was shown.
import './stories/looks.mjs';
import './stories/overview.mjs';
import './stories/service.mjs';
import './stories/node.mjs';
import './stories/history.mjs';
import './stories/real_documents.mjs';
import './stories/lab.mjs';
import './stories/other_clusters.mjs';
import './stories/connection.mjs';
import './stories/keys.mjs';
