// The beginning: the colours, then the table, then what the address says.

const THEMES = ['auto', 'light', 'dark'];

function beginTheme() {
  const kept = () => {
    try {
      return localStorage.getItem('iai-callgrind-theme');
    } catch {
      return null; // a browser that keeps nothing for files
    }
  };
  const wear = theme => {
    document.documentElement.dataset.theme = theme;
    byId('theme').textContent = {auto: 'Theme: auto', light: 'Theme: light', dark: 'Theme: dark'}[theme];
    redraw?.();
  };
  wear(THEMES.includes(kept()) ? kept() : 'auto');
  byId('theme').addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    try {
      localStorage.setItem('iai-callgrind-theme', next);
    } catch {
      // It holds for this page.
    }
    wear(next);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw?.());
}

document.querySelector('header .tools').hidden = false;
beginTheme();
beginTable();
beginKeys();
beginPrint();
show();
performance.mark('table stands');
