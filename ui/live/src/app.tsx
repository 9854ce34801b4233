// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';
import './tokens.css';
import './page.css';
import './map.css';
import './parts.css';
import { connect } from './connection';
import { Page } from './page';
import { followAddress } from './route';
import { followTheme } from './theme';

followTheme();
followAddress();
render(<Page />, document.getElementById('app')!);
void connect();
