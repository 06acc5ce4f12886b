/* Before anything is drawn: the theme and the language of samples that this browser has kept, and that scripts run. */
(() => {
  const root = document.documentElement;
  root.dataset.scripts = '';
  try {
    const theme = localStorage.getItem('suuq.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    const language = localStorage.getItem('suuq.docs.language');
    if (/^(?:bash|typescript|python|go|php)$/.test(language ?? '')) root.dataset.language = language;
  } catch {
    // A browser that keeps nothing has what the system says.
  }
})();
