import { render } from 'preact';
import { isFramed } from './api/frameAccess.js';
import { App } from './app.js';
import { Embedded } from './embedded.js';
import './styles/base.css';
import './styles/frame.css';
import './styles/parts.css';
import './styles/pages.css';
import './styles/documents.css';
import './styles/plots.css';
import './styles/templates.css';
import './styles/webhooks.css';
import './styles/requests.css';
import './styles/admin.css';
import './styles/inbox.css';
import { setTheme, themeNow } from './ui/theme.js';

if (!isFramed) setTheme(themeNow());
render(isFramed ? <Embedded /> : <App />, document.getElementById('app')!);
