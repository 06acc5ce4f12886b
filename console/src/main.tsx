import { render } from 'preact';
import { App } from './app.js';
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

setTheme(themeNow());
render(<App />, document.getElementById('app')!);
